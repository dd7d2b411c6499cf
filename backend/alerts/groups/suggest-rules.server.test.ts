import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupingRulesSchema } from '#backend/contract/alert-group.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

test('suggests a rule from what people accepted together', async () => {
  const admin = await server.signedIn({ role: 'admin' });
  const person = await server.signedIn();
  const apiKey = await server.addApiKey();
  for (const [number, alertType] of ['one', 'two', 'three'].entries()) {
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) ids.push((await admin.postAlert(apiKey, { customer: 'Nordwind', alertType })).id);
    await person.send('POST', '/api/alerts/bulk', { action: 'accept', ids });
    // Nobody accepts two cards within a second of each other by hand.
    await server.database.transaction((tx) =>
      tx.query(
        `UPDATE alert_history SET created_at = created_at - ? WHERE alert_id IN (?, ?) AND action = 'accepted'`,
        [10_000 * (number + 1), ...ids],
      ),
    );
  }
  const rules = groupingRulesSchema.parse(await (await admin.get('/api/grouping-rules')).json());
  expect(rules.find(({ kind }) => kind === 'names')?.suggested).toMatchObject({ times: 3, alerts: 6 });
});
