import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BulkResult, bulkResultSchema } from '#backend/contract/bulk.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { sendAgain } from '#tests/support/send-again.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
let key: string;
beforeAll(async () => {
  server = await startTestServer();
  key = await server.addApiKey();
});
afterAll(() => server.destroy());

/** Enough for several batches. */
const ALERTS = 1_200;
const ARRIVALS = 60;

/** Accepts all that match, batch after batch. */
async function acceptAll(member: TestClient, filter: object): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (let before: string | undefined; ;) {
    const body = { action: 'accept', filter, expectedCount: ALERTS, ...(before !== undefined && { before }) };
    const response = await sendAgain(member, 'POST', '/api/alerts/bulk', body);
    expect(response.status).toBe(200);
    const result = bulkResultSchema.parse(await response.json());
    results.push(result);
    if (result.next === undefined) return results;
    before = result.next;
  }
}

const taken = (results: BulkResult[]) => results.flatMap(({ changed }) => changed.map(({ id }) => id));

/** The inbox as a client has it that starts with these ids and applies what it receives. */
function inboxAfter(ids: string[], events: LiveEvent[]): string[] {
  const inbox = new Set(ids);
  for (const event of events) {
    if (event.type === 'new_alert') inbox.add(event.alert.id);
    else if (event.type === 'alerts_changed') for (const id of event.alertIds) inbox.delete(id);
  }
  return [...inbox].toSorted();
}

test('two members accept overlapping sets while alerts arrive: one owner each, whole histories, one event per batch', async () => {
  const anna = await server.signedIn({ displayName: 'Anna' });
  const ben = await server.signedIn({ displayName: 'Ben' });
  const customers = ['Atlas', 'Borealis', 'Cirrus'];
  const ids = await insertAlerts(
    server.database,
    Array.from({ length: ALERTS }, (_, index) => ({ customer: customers[index % 3] ?? null, alertType: 'disk' })),
  );
  const live = { anna: await listenLive(anna), ben: await listenLive(ben) };

  const arrive = async () => {
    for (let round = 0; round < ARRIVALS; round += 1) await anna.postAlert(key, { customer: 'Atlas', type: 'order' });
  };
  const [ofAnna, ofBen] = await Promise.all([
    acceptAll(anna, { list: 'inbox', alertType: 'disk' }),
    acceptAll(ben, { list: 'inbox', customer: 'Atlas', alertType: 'disk' }),
    arrive(),
  ]);

  const [annas, bens] = [taken(ofAnna), taken(ofBen)];
  expect([...annas, ...bens].toSorted()).toEqual(ids.toSorted());
  for (const { lost } of ofAnna) for (const loss of lost) expect(loss).toMatchObject({ ownerName: 'Ben' });
  for (const { lost } of ofBen) for (const loss of lost) expect(loss).toMatchObject({ ownerName: 'Anna' });

  const { reads } = server.database;
  const owners: { id: string; owner: string }[] = await reads.query(
    "SELECT id, owner_id AS owner FROM alerts WHERE status = 'accepted'",
  );
  const ownersOf = new Map(owners.map(({ id, owner }) => [id, owner]));
  expect(annas.every((id) => ownersOf.get(id) === anna.id)).toBe(true);
  expect(bens.every((id) => ownersOf.get(id) === ben.id)).toBe(true);
  const histories: { id: string; entries: unknown; accepted: unknown }[] = await reads.query(
    "SELECT alert_id AS id, COUNT(*) AS entries, SUM(action = 'accepted') AS accepted FROM alert_history GROUP BY alert_id",
  );
  expect(histories).toHaveLength(ALERTS);
  for (const { entries, accepted } of histories) expect([Number(entries), Number(accepted)]).toEqual([2, 1]);
  await expectTrueCounts(server.database);

  const batches = [...ofAnna, ...ofBen].filter(({ changed }) => changed.length > 0).length;
  const stored: { id: string }[] = await reads.query("SELECT id FROM alerts WHERE status = 'pending'");
  for (const { events, socket } of Object.values(live)) {
    const changes = () => events.filter(({ type }) => type === 'alerts_changed');
    await expect.poll(() => changes().length).toBe(batches);
    await expect.poll(() => inboxAfter(ids, events)).toEqual(stored.map(({ id }) => id).toSorted());
    expect(changes()).toHaveLength(batches);
    socket.close();
  }
});
