import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('alerts of one transaction are counted by their own names, however alike these are', async () => {
  const names: [customer: string | null, alertType: string | null][] = [
    ['ab', 'c'],
    ['ab', 'c'],
    ['a', 'bc'],
    ['a b', 'c'],
    ['', 'abc'],
    [null, 'abc'],
    ['null', 'abc'],
    ['abc', null],
    ['abc', 'null'],
    ['1 a', null],
  ];
  await insertAlerts(
    server.database,
    names.map(([customer, alertType]) => ({ customer, alertType })),
  );
  await expectTrueCounts(server.database);
  const rows: { alerts: unknown }[] = await server.database.reads.query(
    'SELECT SUM(alerts) AS alerts FROM alert_counts WHERE detail = 1 GROUP BY customer, alert_type ORDER BY alerts',
  );
  // What has no name is counted with what has an empty one.
  expect(rows.map(({ alerts }) => Number(alerts))).toEqual([1, 1, 1, 1, 1, 1, 2, 2]);
});
