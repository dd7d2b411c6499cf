import { screen } from '@testing-library/dom';
import { expect, test, vi } from 'vitest';
import { send } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, intercept, json, openPage } from './support/open-page.tsx';

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
    await user.type(name, `Shop orders ${crypto.randomUUID()}{Enter}`);
    await screen.findByText('Waiting for the first delivery…');
    await screen.findByText('Connected');
    expect(screen.queryByText(/unknown key came/)).toBeNull();
    expect((await send(app, crypto.randomUUID(), { title: 'Mistyped' })).status).toBe(401);
    expect(await screen.findByText(/A request with an unknown key came from/)).toBeVisible();
  },
);

test('requests with an unknown key are shown where there is no source, and where the search finds none', async () => {
  const app = await appServer();
  expect((await send(app, crypto.randomUUID(), { title: 'A stranger’s' })).status).toBe(401);
  const user = await openPage(ADMINISTRATOR, '/admin/sources');
  await screen.findByRole('link', { name: 'Unknown keys' });
  await user.type(screen.getByRole('searchbox', { name: 'Search sources' }), 'nowhere');
  await screen.findByText('No sources match “nowhere”');
  expect(screen.getByRole('link', { name: 'Unknown keys' })).toBeVisible();
  intercept('GET', '/api/sources', () => json([]));
  await openPage(ADMINISTRATOR, '/admin/sources');
  await screen.findByText('No sources yet');
  expect(await screen.findByRole('link', { name: 'Unknown keys' })).toBeVisible();
});
