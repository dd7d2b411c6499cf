import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { heartbeatListSchema } from '#backend/contract/heartbeat.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeHeartbeat, makeSource } from '#tests/e2e/support/sources.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, findConnected, intercept, json, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await clearSources(app);
  await deleteOutgoing(app);
});

const shown = async (table: string, names: readonly string[]) =>
  within(await screen.findByRole('table', { name: table }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent ?? '')
    .filter((text) => names.includes(text));

test('heartbeats are in the order of the search, and of this visit', async () => {
  const mark = crypto.randomUUID();
  const names = [`First ${mark}`, `Second ${mark}`];
  for (const name of names) await makeHeartbeat(app, name);
  let isTurned = false;
  intercept('GET', '/api/heartbeats', async ({ url }, go) => {
    const list = heartbeatListSchema.parse(await (await go()).json());
    const isOther = isTurned !== url.searchParams.has('q');
    return json({ ...list, heartbeats: isOther ? list.heartbeats.toReversed() : list.heartbeats });
  });
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  await waitFor(async () => expect(await shown('Heartbeats', names)).toEqual(names));
  // Until the answer comes, the rows of before stand in for those of the search.
  await user.type(screen.getByRole('searchbox'), mark);
  await waitFor(async () => expect(await shown('Heartbeats', names)).toEqual(names.toReversed()));
  await user.clear(screen.getByRole('searchbox'));
  await waitFor(async () => expect(await shown('Heartbeats', names)).toEqual(names));
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  isTurned = true;
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /command/i }), 'heartbeats{Enter}');
  await waitFor(async () => expect(await shown('Heartbeats', names)).toEqual(names.toReversed()));
});

/** What a list has of health, of which the last one is made worse from now on. */
function worsen(path: string, change: (rows: Record<string, unknown>[]) => unknown): void {
  intercept('GET', path, async (_call, go) => {
    const list = (await (await go()).json()) as Record<string, unknown>[] | { destinations: Record<string, unknown>[] };
    change(Array.isArray(list) ? list : list.destinations);
    return json(list);
  });
}

test('destinations are in the order of their health at this visit', async () => {
  for (const name of ['Board', 'War room']) {
    const body = { kind: 'webhook', name, url: 'https://hooks.example.com/in' };
    await app.admin.request('POST', '/api/outgoing/destinations', body);
  }
  const names = ['Board', 'War room'];
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/destinations');
  await waitFor(async () => expect(await shown('Destinations', names)).toEqual(names));
  await findConnected();
  await user.click(screen.getByRole('link', { name: /^Groups/ }));
  await screen.findByText('No groups yet');
  worsen('/api/outgoing/destinations', (rows) =>
    Object.assign(rows.find(({ name }) => name === 'War room') ?? {}, { health: 'failing' }),
  );
  await user.click(screen.getByRole('link', { name: /^Destinations/ }));
  await waitFor(async () => expect(await shown('Destinations', names)).toEqual(names.toReversed()));
});

test('sources are in the order of their health at this visit', async () => {
  const names = ['Alpha', 'Bravo'];
  for (const name of names) await makeSource(app, name);
  const user = await openPage(ADMINISTRATOR, '/admin/sources');
  await waitFor(async () => expect(await shown('Sources', names)).toEqual(names));
  await findConnected();
  await user.click(screen.getByRole('link', { name: /^API Keys/ }));
  await screen.findByRole('heading', { level: 1, name: 'API Keys' });
  worsen('/api/sources', (rows) => {
    const bravo = rows.find(({ name }) => name === 'Bravo') as { health: { state: string } };
    bravo.health.state = 'refusing';
  });
  await user.click(screen.getByRole('link', { name: /^Sources/ }));
  await waitFor(async () => expect(await shown('Sources', names)).toEqual(names.toReversed()));
});
