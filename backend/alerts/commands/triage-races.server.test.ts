import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { type BulkResult, MAX_BULK_BATCH, bulkResultSchema } from '#backend/contract/bulk.ts';
import { type OwnershipEntry, replayHistory } from '#tests/support/replay-history.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { sendAgain } from '#tests/support/send-again.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { walkList } from '#tests/support/walk-list.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

const ALERTS = 1_000;
/** Changes of each member, of up to a hundred alerts each. */
const CHANGES = 60;
const ARRIVALS = 100;

const below = (limit: number): number => Math.floor(Math.random() * limit);

const post = async (member: TestClient, path: string, body: object): Promise<BulkResult> => {
  const response = await sendAgain(member, 'POST', path, body);
  expect([path, body, response.status]).toEqual([path, body, 200]);
  return bulkResultSchema.parse(await response.json());
};

/** What a member does by chance with some alerts, and takes back every third time. */
async function work(member: TestClient, colleague: TestClient, ids: readonly string[]): Promise<void> {
  const bulk = (change: object, of: string[]) => post(member, '/api/alerts/bulk', { ...change, ids: of });
  const some = (): string[] => {
    const from = below(ids.length - MAX_BULK_BATCH);
    return ids.slice(from, from + 1 + below(MAX_BULK_BATCH));
  };
  /** A change, and what takes it back. */
  const kinds: readonly [object, object][] = [
    [{ action: 'accept' }, { action: 'unaccept' }],
    [{ action: 'accept' }, { action: 'unaccept' }],
    [{ action: 'unaccept' }, { action: 'accept' }],
    [{ action: 'snooze', minutes: 60 }, { action: 'wake' }],
    [{ action: 'wake' }, { action: 'snooze', minutes: 30 }],
    [
      { action: 'status', status: 'in-progress' },
      { action: 'status', status: 'accepted' },
    ],
    [
      { action: 'status', status: 'completed' },
      { action: 'status', status: 'in-progress' },
    ],
    [{ action: 'assign', userId: colleague.id }, { action: 'accept' }],
  ];
  for (let change = 0; change < CHANGES; change += 1) {
    if (change % 20 === 19) {
      await post(member, '/api/alerts/hand-over', { userId: colleague.id, note: 'Night shift' });
      continue;
    }
    const [there = {}, back = {}] = kinds[below(kinds.length)] ?? [];
    const { changed } = await bulk(there, some());
    if (change % 3 === 0 && changed.length > 0) {
      await bulk(
        back,
        changed.map(({ id }) => id),
      );
    }
  }
}

interface Entry extends OwnershipEntry {
  id: string;
}

const isAwake = ({ snoozedUntil }: Alert): boolean => snoozedUntil === undefined;
const idsOf = (alerts: readonly Alert[]): string[] => alerts.map(({ id }) => id).toSorted();

test('two members work a thousand alerts at random while others arrive: one owner each, whole histories, true lists', async () => {
  const anna = await server.signedIn({ displayName: 'Anna' });
  const ben = await server.signedIn({ displayName: 'Ben' });
  const admin = await server.signedIn({ displayName: 'Ada', role: 'admin' });
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: ALERTS }, (_, index) => ({ customer: `Customer ${index % 7}`, severity: 'high' as const })),
  );
  const arrive = async () => {
    for (let count = 0; count < ARRIVALS; count += 1) await admin.postAlert(key, { customer: 'Atlas' });
  };
  await Promise.all([work(anna, ben, ids), work(ben, anna, ids), arrive()]);

  const { alerts } = await walkList(admin, '/api/alerts/all?limit=500');
  expect(alerts).toHaveLength(ALERTS + ARRIVALS);
  const entries: Entry[] = await server.database.reads.query(
    'SELECT alert_id AS id, action, user_display_name AS `by`, assignee_name AS `to`, new_status AS status ' +
      'FROM alert_history ORDER BY alert_id, id',
  );
  const histories = Map.groupBy(entries, ({ id }) => id);
  for (const { id, ownerName = null, status } of alerts) {
    expect([id, ownerName === null]).toEqual([id, status === 'pending']);
    expect({ id, ...replayHistory(histories.get(id) ?? []) }).toEqual({
      id,
      owner: ownerName,
      status,
    });
  }

  for (const member of [anna, ben]) {
    const isOwn = ({ ownerId }: Alert): boolean => ownerId === member.id;
    const lists = await Promise.all(
      ['inbox', 'mine', 'snoozed'].map(async (list) => idsOf((await walkList(member, `/api/alerts/${list}`)).alerts)),
    );
    expect(lists).toEqual([
      idsOf(alerts.filter((alert) => alert.status === 'pending' && isAwake(alert))),
      idsOf(alerts.filter((alert) => isOwn(alert) && isAwake(alert))),
      idsOf(alerts.filter((alert) => !isAwake(alert) && (alert.status === 'pending' || isOwn(alert)))),
    ]);
  }
  await expectTrueCounts(server.database);
}, 120_000);
