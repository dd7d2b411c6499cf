import { screen } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { onTestFinished } from 'vitest';
import { type MaintenanceWindow, windowListSchema } from '#backend/contract/maintenance.ts';
import { ADMINISTRATOR, appServer, intercept, openPage, refusal } from './open-page.tsx';

/** Bodies of calls of the page. They are answered with an error where it is given, and nothing is stored. */
export function bodiesOf(method: string, path: string, error?: string): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  intercept(method, path, ({ body }, go) => {
    bodies.push(JSON.parse(body));
    return error === undefined ? go() : refusal(422, error);
  });
  return bodies;
}

/** A window that is written about alerts of a customer of its own. */
export async function writeWindow(): Promise<UserEvent> {
  const search = `customer:${crypto.randomUUID()}`;
  const user = await openPage(ADMINISTRATOR, `/maintenance/new?${new URLSearchParams({ search })}`);
  await user.type(await screen.findByLabelText('Name'), 'Upgrade');
  return user;
}

/** Writes another value into a field. */
export async function choose(user: UserEvent, label: string, value: string): Promise<void> {
  await user.clear(screen.getByLabelText(label));
  await user.type(screen.getByLabelText(label), value);
}

/** The windows of this name that are stored. */
export async function windowsNamed(name: string): Promise<MaintenanceWindow[]> {
  const { admin } = await appServer();
  const stored = windowListSchema.parse(await (await admin.request('GET', '/api/maintenance/windows')).json());
  return stored.filter((window) => window.name === name);
}

/** A name that no other window has. Windows that get it are gone after the test; one that is on needs a server of its own. */
export function nameForWindow(): string {
  const name = `Upgrade ${crypto.randomUUID().slice(0, 8)}`;
  onTestFinished(async () => {
    const { admin } = await appServer();
    for (const { id } of await windowsNamed(name)) {
      const { ok } = await admin.request('DELETE', `/api/maintenance/windows/${id}`);
      if (!ok) throw new Error(`The window ${name} is still there for the tests that follow.`);
    }
  });
  return name;
}
