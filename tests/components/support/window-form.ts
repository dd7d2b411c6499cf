import { screen } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { ADMINISTRATOR, intercept, openPage, refusal } from './open-page.tsx';

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
