import { afterAll, beforeAll, expect, test } from 'vitest';
import { listenLive } from '#tests/support/live-client.ts';
import { deleteRules, makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const isMysql = process.env['TEST_DIALECT'] === 'mysql';

let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  apiKey = await server.addApiKey();
});
afterAll(() => server.destroy());

const report = async (customer: string): Promise<void> => {
  await admin.postAlert(apiKey, {
    routing_key: 'any',
    event_action: 'trigger',
    dedup_key: customer,
    payload: { summary: 'Disk is full', source: 'db-7', severity: 'warning' },
    customer,
  });
};
const ruleFor = (customer: string) =>
  makeRule({ admin }, { search: `customer:"${customer}"`, actions: { severity: 'low' } });
const rulesOfHits = async (ids: readonly string[]): Promise<string[]> => {
  const sql = 'SELECT rule_id AS ruleId FROM rule_hits WHERE rule_id IN (?, ?)';
  const rows: { ruleId: string }[] = await server.database.reads.query(sql, [...ids, ...ids].slice(0, 2));
  return rows.map(({ ruleId }) => ruleId);
};

test('a rule is kept once with an alert, and one that is new to it with its next report', async () => {
  const first = await ruleFor('Counted');
  await report('Counted');
  await report('Counted');
  expect(await rulesOfHits([first.id])).toEqual([first.id]);
  const second = await ruleFor('Counted');
  await report('Counted');
  expect((await rulesOfHits([first.id, second.id])).toSorted()).toEqual([first.id, second.id].toSorted());
  await deleteRules({ admin });
});

test.runIf(isMysql)(
  'what repeats writes nothing about a rule that is known: it waits for nobody who has it',
  async () => {
    const { id } = await ruleFor('Held');
    await report('Held');
    await server.database.transaction(async (tx) => {
      const held: unknown[] = await tx.query('SELECT alert_id FROM rule_hits WHERE rule_id = ? FOR UPDATE', [id]);
      expect(held).toHaveLength(1);
      await report('Held');
    });
    expect(await rulesOfHits([id])).toEqual([id]);
  },
);

test('a rule that assigns to a disabled account leaves snoozed what another rule snoozes, and nobody is notified', async () => {
  const ann = await server.signedIn();
  const search = 'customer:"Snoozed"';
  await makeRule({ admin }, { search, actions: { snoozeMinutes: 60 } });
  await makeRule({ admin }, { search, actions: { assigneeId: ann.id } });
  expect((await admin.send('PATCH', `/api/auth/users/${ann.id}/toggle-active`)).status).toBe(200);
  const live = await listenLive(admin);
  await admin.postAlert(apiKey, { customer: 'Snoozed' });
  const announced = () => live.events.filter(({ type }) => type === 'new_alert');
  await expect.poll(announced).toMatchObject([{ quiet: true }]);
  live.socket.close();
  const inbox = await admin.alerts('/api/alerts/inbox');
  expect(inbox.filter(({ customer }) => customer === 'Snoozed')).toEqual([]);
  await deleteRules({ admin });
});
