import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AlertDetails, alertDetailsSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SERVERS, writeWatch } from '#backend/intake/sources/report-watch.ts';
import { openSourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { createSourceStats } from '#backend/intake/sources/source-stats.ts';
import { putOffReport } from '#backend/intake/write/awaited-reports.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { DUE_SQL, type UnreportedDeps, endAllUnreported } from './unreported.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const AGE = 60;

let server: TestServer;
let admin: TestClient;
let world: SourceWorld;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  world = createSourceWorld(server, admin);
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});
beforeEach(() => server.database.transaction((tx) => tx.query('DELETE FROM awaited_reports', [])));

async function newSource(settings: Partial<SourceSettings> = { completeUnreported: AGE }) {
  const made = await world.newSource();
  await world.change(made.source.id, settings);
  return { id: made.source.id, key: made.key };
}

/** Reports a problem; its alert's id. */
const report = async (key: string, dedupKey: string, more: object = {}): Promise<string> =>
  (await admin.postAlert(key, { title: 'Disk full', dedup_key: dedupKey, status: 'firing', ...more })).id;

const rewrite = (sql: string, values: unknown[]) => server.database.transaction((tx) => tx.query(sql, values));

/** Has a problem be overdue by nine hours. */
async function reportedLongAgo(id: string): Promise<void> {
  const seenAt = Date.now() - 10 * HOUR;
  await rewrite('UPDATE alerts SET received_at = ?, last_seen_at = ? WHERE id = ?', [seenAt, seenAt, id]);
  await rewrite('UPDATE awaited_reports SET due_at = 0 WHERE alert_id = ?', [id]);
}

type Judged = { since?: number; seenAt?: number } & Partial<Pick<UnreportedDeps, 'sourceStats'>>;

/** Judges as a server that has run since a moment. */
async function judgeAt(at: number, { since = 0, seenAt = at, sourceStats }: Judged = {}): Promise<number> {
  const { database } = server;
  /** Right before it is read: this server notes every 30 seconds that it runs, too, and a gap before `at` is then seen. */
  const now = async (): Promise<number> => {
    await database.transaction((tx) => writeWatch(tx, SERVERS, since, seenAt));
    return at;
  };
  const logger = createLogger('silent');
  const sources = await openSourceRegistry({
    database,
    events: createEventBus((error) => expect.unreachable(String(error))),
    logger,
  });
  try {
    const stats = sourceStats ?? createSourceStats(database);
    const deps = { database, logger, sources, sourceStats: stats, now };
    return await endAllUnreported(deps, new AbortController().signal);
  } finally {
    sources.stop();
  }
}

const alertOf = async (id: string): Promise<AlertDetails> =>
  alertDetailsSchema.parse(await (await admin.get(`/api/alerts/${id}`)).json());
const historyOf = async (id: string) =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json());

test('a problem that is not reported for so long ends once, as if its sender had said so', async () => {
  const { key } = await newSource();
  const ids = await Promise.all(['a', 'b', 'c'].map((name) => report(key, name)));
  const now = Date.now();
  expect(await judgeAt(now + 59 * MINUTE)).toBe(0);
  // Two servers, of which none knows of the other.
  const [one, other] = await Promise.all([judgeAt(now + 61 * MINUTE), judgeAt(now + 61 * MINUTE)]);
  expect(one + other).toBe(3);
  for (const id of ids) {
    expect(await alertOf(id)).toMatchObject({ status: 'completed', state: 'resolved' });
    const [entry, ...earlier] = await historyOf(id);
    expect(entry).toMatchObject({
      action: 'resolved',
      newStatus: 'completed',
      unreportedMinutes: 61,
      userDisplayName: PRODUCT_NAME,
    });
    expect(earlier.map(({ action }) => action)).toEqual(['received']);
  }
  expect(await judgeAt(now + 200 * MINUTE)).toBe(0);
  expect(await server.database.reads.query('SELECT alert_id FROM awaited_reports')).toEqual([]);
});

test('what was reported last stays with one that ends', async () => {
  const { key } = await newSource();
  const id = await report(key, 'payload', { used: '91%' });
  await report(key, 'payload', { used: '97%' });
  expect(await judgeAt(Date.now() + 61 * MINUTE)).toBe(1);
  expect(await alertOf(id)).toMatchObject({
    state: 'resolved',
    payload: { used: '91%' },
    latestPayload: { used: '97%' },
  });
});

test('one that somebody has accepted stays theirs, and one that is to be kept stays in the inbox', async () => {
  const accepted = await report((await newSource()).key, 'mine');
  expect((await admin.send('POST', `/api/alerts/${accepted}/accept`)).status).toBe(200);
  const kept = await report((await newSource({ completeUnreported: AGE, onResolved: 'keep' })).key, 'kept');
  expect(await judgeAt(Date.now() + 61 * MINUTE)).toBe(2);
  expect(await alertOf(accepted)).toMatchObject({ status: 'accepted', state: 'resolved', ownerId: admin.id });
  expect(await alertOf(kept)).toMatchObject({ status: 'pending', state: 'resolved' });
});

test('one that is reported at the same moment is open afterwards, whichever comes first', async () => {
  const { key } = await newSource();
  for (let round = 0; round < 20; round += 1) {
    const name = `race ${round}`;
    const id = await report(key, name);
    const { receivedAt } = await server.database.reads
      .query<{ receivedAt: unknown }[]>('SELECT received_at AS receivedAt FROM alerts WHERE id = ?', [id])
      .then(([row]) => ({ receivedAt: Number(row?.receivedAt) }));
    await expect.poll(() => Date.now()).toBeGreaterThan(receivedAt + 2);
    await Promise.all([judgeAt(receivedAt + AGE * MINUTE + 1), report(key, name)]);
    expect(await alertOf(id)).toMatchObject({ status: 'pending', state: 'firing', occurrences: 2 });
  }
});

describe('nothing ends', () => {
  test('before one full age has passed since the server was away', async () => {
    const id = await report((await newSource()).key, 'missed');
    const now = Date.now();
    expect(await judgeAt(now + 61 * MINUTE, { seenAt: now + 50 * MINUTE })).toBe(0);
    expect(await judgeAt(now + 120 * MINUTE, { since: now + 61 * MINUTE })).toBe(0);
    expect(await alertOf(id)).toMatchObject({ state: 'firing' });
    expect(await judgeAt(now + 122 * MINUTE, { since: now + 61 * MINUTE })).toBe(1);
  });

  test('of a source that is paused, or whose requests are refused', async () => {
    const paused = await newSource();
    const refused = await newSource();
    const ids = [await report(paused.key, 'paused'), await report(refused.key, 'refused')];
    await admin.send('PATCH', `/api/sources/${paused.id}`, { isPaused: true });
    await world.change(refused.id, { auth: { key: false, basic: true, token: true, signature: null } });
    expect((await world.send('/webhook', { headers: { 'X-Webhook-Auth': refused.key } })).status).toBe(401);
    await world.expectNewest(refused.id, { outcome: 'refused' });
    expect(await judgeAt(Date.now() + 61 * MINUTE)).toBe(0);
    for (const id of ids) expect(await alertOf(id)).toMatchObject({ state: 'firing' });
    await admin.send('PATCH', `/api/sources/${paused.id}`, { isPaused: false });
    // One full age later it is judged again.
    expect(await judgeAt(Date.now() + 123 * MINUTE)).toBe(1);
  });

  test('before one full age has passed since a pause', async () => {
    const { id: sourceId, key } = await newSource();
    const id = await report(key, 'paused before');
    await admin.send('PATCH', `/api/sources/${sourceId}`, { isPaused: true });
    await reportedLongAgo(id);
    await admin.send('PATCH', `/api/sources/${sourceId}`, { isPaused: false });
    const resumedAt = Date.now();
    expect(await judgeAt(resumedAt + 58 * MINUTE)).toBe(0);
    expect(await judgeAt(resumedAt + 61 * MINUTE)).toBe(1);
  });

  test.each([1, 51])('before one full age has passed since a refused request before %i others', async (accepted) => {
    const { id: sourceId, key } = await newSource();
    const id = await report(key, 'refused before');
    await world.send('/webhook', { body: '{', headers: { 'X-Webhook-Auth': key } });
    await world.expectNewest(sourceId, { outcome: 'refused' });
    const refusedAt = Date.now();
    await Promise.all(
      Array.from({ length: accepted }, (_, index) => admin.postAlert(key, { title: `Order ${index}` })),
    );
    await expect.poll(async () => (await world.logged({ sourceId })).length).toBe(accepted + 2);
    await reportedLongAgo(id);
    expect(await judgeAt(refusedAt + 58 * MINUTE)).toBe(0);
    for (const table of ['deliveries', 'delivery_requests'])
      await rewrite(`UPDATE ${table} SET facts = REPLACE(facts, '"status":400', '"status":503')`, []);
    await reportedLongAgo(id);
    expect(await judgeAt(refusedAt + 59 * MINUTE)).toBe(1);
  });

  test('of a sender that neither repeats nor says when it ends', async () => {
    const { key } = await newSource({ completeUnreported: 'automatic' });
    const id = await report(key, 'once');
    await report(key, 'once');
    expect(await judgeAt(Date.now() + 1_000 * HOUR)).toBe(0);
    expect(await alertOf(id)).toMatchObject({ state: 'firing', occurrences: 2 });
  });
});

test('without a setting, what Alertmanager repeats or a ruler lets end ends by itself', async () => {
  const { key } = await world.newSource();
  const post = async (alertname: string, endsAt: string) => {
    const alert = { status: 'firing', labels: { alertname }, startsAt: new Date().toISOString(), endsAt };
    return (await admin.postAlert(key, { version: '4', groupKey: '{}', groupLabels: {}, alerts: [alert] })).id;
  };
  const ruled = await post('Ruled', new Date(Date.now() + 10 * MINUTE).toISOString());
  const silent = await post('Silent', '0001-01-01T00:00:00Z');
  const repeated = await post('Repeated', '0001-01-01T00:00:00Z');
  await post('Repeated', '0001-01-01T00:00:00Z');
  const now = Date.now();
  expect(await judgeAt(now + 9 * MINUTE)).toBe(0);
  expect(await judgeAt(now + 11 * MINUTE)).toBe(1);
  expect(await alertOf(ruled)).toMatchObject({ state: 'resolved' });
  expect(await judgeAt(now + 120 * HOUR)).toBe(0);
  expect(await judgeAt(now + 122 * HOUR)).toBe(1);
  expect(await alertOf(repeated)).toMatchObject({ state: 'resolved' });
  expect(await alertOf(silent)).toMatchObject({ state: 'firing' });
});

test('what Alertmanager repeated ends one age after the servers were away, however often it is judged', async () => {
  const { key } = await world.newSource();
  const alert = {
    status: 'firing',
    labels: { alertname: 'Away' },
    startsAt: new Date().toISOString(),
    endsAt: '0001-01-01T00:00:00Z',
  };
  const delivery = { version: '4', groupKey: '{}', groupLabels: {}, alerts: [alert] };
  const { id } = await admin.postAlert(key, delivery);
  await admin.postAlert(key, delivery);
  const now = Date.now();
  const since = now + 2 * HOUR;
  expect(await judgeAt(now + 122 * HOUR, { since })).toBe(0);
  expect(await judgeAt(now + 122.5 * HOUR, { since })).toBe(0);
  expect(await judgeAt(now + 124 * HOUR, { since })).toBe(1);
  expect(await alertOf(id)).toMatchObject({ state: 'resolved' });
});

test.each([
  ['has awaited alone', 'NULL'],
  ['has put off', 'due_at - 122 * 3600000'],
])('what an earlier release %s is judged by when it is due', async (_what, reportedDueAt) => {
  const { key } = await newSource({ completeUnreported: 'automatic' });
  const alert = { status: 'firing', labels: { alertname: 'Early' }, startsAt: new Date().toISOString() };
  const delivery = { version: '4', groupKey: '{}', groupLabels: {}, alerts: [alert] };
  await admin.postAlert(key, delivery);
  await admin.postAlert(key, delivery);
  await server.database.transaction((tx) =>
    tx.query(`UPDATE awaited_reports SET reported_due_at = ${reportedDueAt}`, []),
  );
  const now = Date.now();
  expect(await judgeAt(now + 122 * HOUR, { since: now + 2 * HOUR })).toBe(0);
  expect(await judgeAt(now + 124 * HOUR, { since: now + 2 * HOUR })).toBe(1);
});

test('what is put off while it is judged is not ended', async () => {
  const { database } = server;
  const id = await report((await newSource()).key, 'put off');
  const now = Date.now() + 61 * MINUTE;
  expect(await judgeAt(Date.now())).toBe(0);
  const stats = createSourceStats(database);
  const ended = await judgeAt(now, {
    sourceStats: {
      async read(ids) {
        await database.transaction((tx) => putOffReport(tx, id, now + 26 * HOUR));
        return stats.read(ids);
      },
    },
  });
  expect(ended).toBe(0);
  expect(await alertOf(id)).toMatchObject({ state: 'firing' });
});

test('a changed setting counts for what was reported before it', async () => {
  const { id, key } = await newSource({ completeUnreported: 'off' });
  const alertId = await report(key, 'before');
  const now = Date.now();
  expect(await judgeAt(now + 500 * HOUR)).toBe(0);
  await world.change(id, { completeUnreported: AGE });
  await world.change(id, { completeUnreported: 'off' });
  expect(await judgeAt(now + 61 * MINUTE)).toBe(0);
  await world.change(id, { completeUnreported: AGE });
  expect(await judgeAt(now + 61 * MINUTE)).toBe(1);
  expect(await alertOf(alertId)).toMatchObject({ status: 'completed' });
  expect(await server.database.reads.query('SELECT source_id FROM report_scans')).toEqual([]);
});

test('what is due is found by its index', async () => {
  const { reads, dialect } = server.database;
  const explain = dialect.name === 'mysql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
  const plan = JSON.stringify(await reads.query(`${explain} ${DUE_SQL}`, [Date.now()]));
  expect(plan).toContain('awaited_reports_due');
  expect(plan).not.toMatch(/filesort|TEMP B-TREE/);
});
