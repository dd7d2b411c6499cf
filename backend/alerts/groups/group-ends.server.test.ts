import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { decideRule } from '#tests/support/group-calls.ts';
import { DEFAULT_POLICY, readRequest } from '#tests/support/incoming-events.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { pruneGroups } from './prune-groups.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestServer;
let admin: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  apiKey = await server.addApiKey();
  await decideRule(admin, 'names', { isOn: true });
});
afterAll(() => server.destroy());

let customer: string;
beforeEach(() => {
  customer = crypto.randomUUID();
});

const NAMES = { alertType: 'disk.full', severity: 'critical' };
const inbox = async (): Promise<Alert[]> => {
  const answer = await admin.get(`/api/alerts/inbox?sort=oldest&customer=${customer}`);
  return alertListSchema.parse(await answer.json());
};
/** An alert that begins a group. */
async function beginGroup(): Promise<{ id: string; groupId: string }> {
  await admin.postAlert(apiKey, { customer, ...NAMES });
  const [{ id = '', groupId = '' } = {}] = await inbox();
  return { id, groupId };
}
const storedGroup = async (id: string) => {
  const rows: { alerts: number; announcedId: string; openKey: string | null }[] = await server.database.reads.query(
    'SELECT alerts, announced_id AS announcedId, open_key AS openKey FROM alert_groups WHERE id = ?',
    [id],
  );
  return rows[0];
};
const set = (id: string, column: 'alerts' | 'last_at', value: number) =>
  server.database.transaction((tx) => tx.query(`UPDATE alert_groups SET ${column} = ? WHERE id = ?`, [value, id]));
const prune = (now: number) => pruneGroups(server.database, new AbortController().signal, now);

test('groups whose alerts are gone are deleted after a week', async () => {
  const { id, groupId } = await beginGroup();
  const weeksLater = Date.now() + 15 * DAY_MS;
  await prune(weeksLater);
  expect(await storedGroup(groupId)).toMatchObject({ alerts: 1 });
  await admin.send('POST', '/api/alerts/bulk', { action: 'delete', ids: [id] });
  expect(await prune(Date.now())).toBe(0);
  expect(await prune(weeksLater)).toBe(1);
  expect(await storedGroup(groupId)).toBeUndefined();
});

test('old groups are looked at page by page: all without alerts are deleted, also behind one that has some', async () => {
  const { groupId } = await beginGroup();
  const monthAgo = Date.now() - 30 * DAY_MS;
  await set(groupId, 'last_at', monthAgo);
  const columns = ['id', 'kind', 'within_minutes', 'shared', 'alerts', 'began_at', 'last_at'];
  // Some of them ended at the same moment, more than a page.
  const empty = Array.from({ length: 1_200 }, (_, at) => [
    uuidv7(),
    'names',
    30,
    'x',
    1,
    monthAgo,
    monthAgo + (at % 2),
  ]);
  await server.database.transaction((tx) => tx.runRows((rows) => insertSql('alert_groups', columns, rows), empty));
  expect(await prune(Date.now())).toBe(1_200);
  expect(await storedGroup(groupId)).toMatchObject({ alerts: 1 });
});

test('a group that becomes full within a batch keeps what joined it, and the others begin another', async () => {
  const { id, groupId } = await beginGroup();
  await set(groupId, 'alerts', 990);
  await admin.send('POST', '/api/alerts/bulk', { action: 'accept', ids: [id] });
  const write = createBatchWriter(server.database, NO_ECHOES, {
    ...NOTHING_DECIDES,
    grouping: { active: () => [{ kind: 'names', withinMinutes: 30 }] },
  });
  const source = { id: 'built-in', name: 'Servers', secretId: null };
  await write(
    Array.from({ length: 20 }, () => ({
      source,
      policy: DEFAULT_POLICY,
      isOwn: true,
      receivedAt: Date.now(),
      events: [readRequest(JSON.stringify({ customer, ...NAMES }))],
    })),
  );
  const now = await inbox();
  const first = now.flatMap((alert) => (alert.groupId === groupId ? [alert.id] : []));
  expect([first.length, now.length]).toEqual([10, 20]);
  expect(new Set(now.map((alert) => alert.groupId)).size).toBe(2);
  const stored = await storedGroup(groupId);
  expect(stored).toMatchObject({ alerts: 1_000, openKey: null });
  expect(first).toContain(stored?.announcedId);
});
