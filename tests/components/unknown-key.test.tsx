import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { send } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, openPage } from './support/open-page.tsx';

test.for([
  ['ahead of', 120_000],
  ['behind', -120_000],
] as const)(
  'a new source says that a request with an unknown key came meanwhile, also by a clock %s the server’s',
  async ([, aside], { onTestFinished }) => {
    const app = await appServer();
    expect((await send(app, crypto.randomUUID(), { title: 'A stranger’s' })).status).toBe(401);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + aside });
    onTestFinished(() => void vi.useRealTimers());
    const user = await openPage(ADMINISTRATOR, '/admin/sources/new?sender=generic');
    const name = await screen.findByLabelText('Name', { exact: true });
    await user.clear(name);
    await user.type(name, `Shop orders ${aside}{Enter}`);
    await screen.findByText('Waiting for the first delivery…');
    await screen.findByText('Connected');
    expect(screen.queryByText(/unknown key came/)).toBeNull();
    expect((await send(app, crypto.randomUUID(), { title: 'Mistyped' })).status).toBe(401);
    expect(await screen.findByText(/A request with an unknown key came from/)).toBeVisible();
  },
);
