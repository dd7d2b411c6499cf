import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { createLister } from './list-alerts.ts';
import { findNewestIds } from './read-alerts.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('what is older than the entries that are read is refused, not left out', async () => {
  const { reads } = server.database;
  const [own, other] = [{ sourceId: crypto.randomUUID() }, { sourceId: crypto.randomUUID() }];
  const ids = await insertAlerts(server.database, [
    own,
    { ...own, status: 'accepted' },
    { ...own, status: 'completed' },
    other,
    own,
    other,
  ]);
  const count = (entries: number, query: string) =>
    createLister(reads, entries).count({ id: own.sourceId }, new URLSearchParams({ query }));
  expect(await count(4, '')).toBe(4);
  expect(await count(4, 'status: open')).toBe(3);
  for (const query of ['', 'status: open', 'status: closed'])
    await expect(count(3, query)).rejects.toThrow('There are too many alerts of all sources');
  // Those that are newer than what was not read are all there.
  const newest = await findNewestIds(reads, own.sourceId, true, 3);
  expect(newest).toEqual({ ids: [ids[4], ids[2], ids[1]], isComplete: false });
});
