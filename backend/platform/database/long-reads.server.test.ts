import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Place } from '#backend/alerts/lists/alert-branches.ts';
import { loadAlerts, measurePage } from '#backend/alerts/lists/alert-rows.ts';
import { returnUntouched } from '#backend/alerts/commands/forgotten.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(() => server.destroy());

/** Runs it, and gives the tables that long reads looked through meanwhile. */
async function tablesOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(server.database.longReads, 'query');
  await work();
  const tables = query.mock.calls.map(([sql]) => / FROM (\w+)/.exec(sql)?.[1] ?? '');
  query.mockRestore();
  return [...new Set(tables)];
}

test('what may look through a whole table is read beside the event loop', async () => {
  const { source, token } = await world.newSource();
  await world.send(`/in/${token}`);
  await world.expectNewest(source.id, { outcome: 'new' });
  const log = `/api/sources/${source.id}`;
  const calls: [path: string, tables: string[]][] = [
    ['/api/audit', []],
    ['/api/audit?q=nobody', ['audit_log']],
    ['/api/audit?kind=retention', ['audit_log']],
    [`${log}/deliveries`, []],
    [`${log}/deliveries?outcome=paused`, ['deliveries']],
    [`${log}/deliveries?q=nobody`, ['deliveries']],
    [`${log}/delivery-counts`, ['deliveries', 'delivery_chunks']],
    // Group by group, entries of all other customers are passed.
    ['/api/alerts/all?sort=severity&customer=Nordwind', ['alerts']],
    ['/api/alerts/all?sort=severity', []],
  ];
  for (const [path, tables] of calls) {
    const found = await tablesOf(async () => expect((await admin.get(path)).status).toBe(200));
    expect([path, found]).toEqual([path, tables]);
  }
});

test('forgotten alerts are looked for beside the event loop', async () => {
  const deps = {
    database: server.database,
    events: createEventBus((error) => expect.unreachable(String(error))),
    logger: createLogger('silent'),
    hours: 1,
  };
  expect(await tablesOf(() => returnUntouched(deps, new AbortController().signal))).toEqual(['alerts']);
});

test('an answer of thousands of alerts is made with other work between', async () => {
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: 1_500 }, () => ({})),
  );
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const places = ids.map((id) => ({ id }) as Place);
  const { alerts } = await measurePage(server.database.reads, places);
  for await (const group of loadAlerts(server.database.reads, alerts)) expect(group.length).toBeGreaterThan(0);
  isOver = true;
  expect(alerts).toHaveLength(1_500);
  // SQLite reads without waiting: all of it was one turn.
  expect(turns).toBeGreaterThan(10);
});
