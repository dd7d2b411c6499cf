import { afterAll, beforeAll, expect, test } from 'vitest';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { sendAgain } from '#tests/support/send-again.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** Enough for several batches of each. */
const ALERTS = 240;
const ROUNDS = 4;

interface Row {
  id: string;
  owner: string | null;
  status: string;
}

/** Whose each alert is for a client that applies what it receives. */
function ownersAfter(ids: readonly string[], events: LiveEvent[]): Map<string, string | null> {
  const owners = new Map<string, string | null>(ids.map((id) => [id, null]));
  for (const event of events) {
    if (event.type === 'alert_accepted') owners.set(event.alertId, event.ownerId);
    if (event.type === 'alert_unaccepted') owners.set(event.alert.id, null);
    if (event.type === 'alerts_changed' && event.change !== 'updated') {
      for (const id of event.alertIds) owners.set(id, event.ownerId);
    }
  }
  return owners;
}

interface Entry {
  id: string;
  action: string;
  by: string;
  to: string | null;
}

/** Whose an alert is by its history; throws when an entry does not follow from those before. */
function ownerByHistory(entries: readonly Entry[]): string | null {
  let owner: string | null = null;
  for (const { action, by, to } of entries) {
    const follows = {
      received: owner === null,
      accepted: owner === null,
      handed_over: owner === by,
      assigned: owner !== to,
      unaccepted: owner !== null,
    }[action];
    if (follows !== true) throw new Error(`${action} by ${by} to ${to} follows on an alert of ${owner}`);
    if (action === 'accepted') owner = by;
    else if (action !== 'received') owner = to;
  }
  return owner;
}

const post = async (member: TestClient, path: string, body: object) => {
  const response = await sendAgain(member, 'POST', path, body);
  expect([path, response.status]).toEqual([path, 200]);
  return bulkResultSchema.parse(await response.json());
};

const inBatches = (some: readonly string[]) => [some.slice(0, 100), some.slice(100, 200), some.slice(200)];

const handOverAll = async (member: TestClient, to: TestClient) => {
  let changed = 0;
  for (let before: string | undefined; ;) {
    const body = { userId: to.id, ...(before !== undefined && { before }) };
    const result = await post(member, '/api/alerts/hand-over', body);
    changed += result.changed.length;
    if (result.next === undefined) return changed;
    before = result.next;
  }
};

test('while people accept, assign and hand over the same alerts, each has one owner and a whole history', async () => {
  const people = [
    await server.signedIn({ displayName: 'Anna' }),
    await server.signedIn({ displayName: 'Ben' }),
    await server.signedIn({ displayName: 'Cleo' }),
  ] as const;
  const [anna, ben, cleo] = people;
  const admin = await server.signedIn({ displayName: 'Ada', role: 'admin' });
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: ALERTS }, () => ({ alertType: 'disk' })),
  );
  const live = await listenLive(admin);

  const bulkAll = async (member: TestClient, action: object) => {
    let changed = 0;
    for (const batch of inBatches(ids)) {
      changed += (await post(member, '/api/alerts/bulk', { ...action, ids: batch })).changed.length;
    }
    return changed;
  };
  /** One at a time; whose it is already is nobody's mistake. */
  const assignSome = async (member: TestClient, to: TestClient) => {
    for (const id of ids.slice(0, 12)) {
      const response = await sendAgain(member, 'POST', `/api/alerts/${id}/assign`, { userId: to.id });
      expect([200, 409]).toContain(response.status);
    }
  };
  const accepted = (await Promise.all(people.map((member) => bulkAll(member, { action: 'accept' })))).reduce(
    (sum, count) => sum + count,
  );
  expect(accepted).toBe(ALERTS);
  let changed = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const counts = await Promise.all([
      handOverAll(anna, ben),
      handOverAll(ben, cleo),
      bulkAll(cleo, { action: 'assign', userId: anna.id }),
      bulkAll(admin, { action: 'assign', userId: ben.id }),
      assignSome(admin, cleo).then(() => 0),
      bulkAll(anna, { action: 'unaccept' }).then(() => 0),
      bulkAll(ben, { action: 'accept' }).then(() => 0),
    ]);
    changed += counts.reduce((sum, count) => sum + count);
  }
  expect(changed).toBeGreaterThan(0);

  const rows: Row[] = await server.database.reads.query('SELECT id, owner_id AS owner, status FROM alerts');
  const names = new Map(people.map(({ id }, index) => [id, ['Anna', 'Ben', 'Cleo'][index]]));
  const entries: Entry[] = await server.database.reads.query(
    'SELECT alert_id AS id, action, user_display_name AS `by`, assignee_name AS `to` FROM alert_history ORDER BY alert_id, id',
  );
  const histories = Map.groupBy(entries, ({ id }) => id);
  for (const { id, owner, status } of rows) {
    expect(owner === null).toBe(status === 'pending');
    const byHistory = ownerByHistory(histories.get(id) ?? []);
    expect([id, byHistory]).toEqual([id, owner === null ? null : names.get(owner)]);
  }
  await expectTrueCounts(server.database);
  const stored = new Map(rows.map(({ id, owner }) => [id, owner]));
  await expect.poll(() => ownersAfter(ids, live.events)).toEqual(stored);
  live.socket.close();
}, 120_000);
