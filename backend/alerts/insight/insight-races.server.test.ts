import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as fc from 'fast-check';
import { In } from 'typeorm';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { AlertEntity, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { type InsightQuery, LISTED_GROUPS, MAX_INSIGHT_PROBLEMS, addDays } from '#backend/contract/insight.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { countNaively } from '#tests/support/naive-insight.ts';
import { sendAgain } from '#tests/support/send-again.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { decodeChunk, encodeChunk, factsOf } from './chunk.ts';
import type { InsightMessage } from './insight-messages.ts';
import { type InsightKeeper, openInsight } from './insight.ts';
import { addRuleHits } from './rule-hits.ts';

let server: TestServer;
let admin: TestClient;
let members: TestClient[];
/** What another server on the same database has. */
let other: InsightKeeper;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  members = await Promise.all([server.signedIn(), server.signedIn(), server.signedIn()]);
  other = openInsight({ ...server, logger: createLogger('silent') });
});
afterAll(async () => {
  await other.close();
  await server.destroy();
});

const below = (limit: number): number => Math.floor(Math.random() * limit);
const oneOf = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

/** Around these moments clocks are changed in some of the zones below. */
const CHANGES = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-04-24', '2026-10-25', '2026-11-01'].map((date) =>
  Date.parse(date),
);
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/St_Johns',
  'Pacific/Kiritimati',
];
const DAY_MS = 24 * 60 * 60 * 1000;
const SOURCES = ['01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa81', null];

const RULES = ['01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa90', '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa91'];

const anyAlert = (): Partial<StoredAlert> => ({
  receivedAt: oneOf(CHANGES) + below(3 * DAY_MS) - DAY_MS,
  customer: oneOf(['prod-eu', 'prod-us', 'Ümlaut & Söhne', null]),
  alertType: oneOf(['disk', 'latency', null]),
  sourceId: oneOf(SOURCES),
  severity: oneOf(['critical', 'high', 'warning', 'low', 'info', null]),
  title: oneOf(['Disk full', 'Slow', null]),
  occurrences: 1 + below(3),
  quietByName: oneOf(['Upgrade', null, null, null]),
});

/** What members do by chance with alerts, many at a time, each against the others. */
async function work(member: TestClient, ids: readonly string[], changes: number): Promise<void> {
  for (let done = 0; done < changes; done += 1) {
    const from = below(ids.length);
    const body = oneOf([
      { action: 'accept' },
      { action: 'accept' },
      { action: 'unaccept' },
      { action: 'status', status: 'completed' },
      { action: 'status', status: 'in-progress' },
      { action: 'assign', userId: oneOf(members).id },
      { action: 'snooze', minutes: 60 },
    ]);
    const change = { ...body, ids: ids.slice(from, from + 1 + below(60)) };
    const { status } = await sendAgain(member, 'POST', '/api/alerts/bulk', change);
    expect(status).toBe(200);
  }
}

/** Alerts that one member accepts and completes, and nobody else works on. */
const FINISHED = 60;

async function finish(member: TestClient, ids: readonly string[]): Promise<void> {
  for (const change of [{ action: 'accept' }, { action: 'status', status: 'completed' }]) {
    expect((await sendAgain(member, 'POST', '/api/alerts/bulk', { ...change, ids })).status).toBe(200);
  }
}

/** Some of these alerts begin to flap, a few more than once. */
async function flapSome(ids: readonly string[]): Promise<void> {
  const entries = ids
    .flatMap((alertId) => [alertId, alertId].filter(() => below(6) === 0))
    .map((alertId) => ({ alertId, action: 'flapping' as const, userDisplayName: 'Alertdesk' }));
  await server.database.transaction(async (tx) => {
    // As whoever writes histories: others change these alerts meanwhile.
    await tx.lockRows(AlertEntity, { id: In([...ids]) }, ['id']);
    await addHistories(tx, entries);
  });
}

async function expectSame(keeper: InsightKeeper, query: InsightQuery): Promise<void> {
  const answer = await keeper.ask({ query, person: 'everybody', now: Date.now() });
  const naive = await countNaively(server.database, query);
  expect(answer.isComplete).toBe(true);
  expect(answer.totals).toEqual(naive.totals);
  expect(answer.week).toEqual(naive.week);
  expect(answer.days.map(({ date }) => date)).toEqual(
    Array.from({ length: answer.days.length }, (_, day) => addDays(query.from, day)),
  );
  const none = { alerts: 0, median: null, ninetieth: null };
  for (const day of answer.days) {
    const empty = { date: day.date, critical: 0, high: 0, warning: 0, others: 0, accept: none, complete: none };
    expect(day).toEqual(naive.days.get(day.date) ?? empty);
  }
  expect(answer.problems.map(({ deliveries }) => deliveries)).toEqual(naive.deliveries.slice(0, MAX_INSIGHT_PROBLEMS));
  for (const group of LISTED_GROUPS) {
    const rows = answer.groups[group].map(({ id, ...figures }) => [id, figures]);
    // The lists of persons and windows have nobody and none for what nobody has and none kept quiet.
    const isNamed = group === 'person' || group === 'window';
    const expected = [...naive.groups[group]].filter(([id]) => !isNamed || id !== null);
    expect(new Map(rows as never)).toEqual(new Map(expected));
  }
}

test('is what alerts and histories say one by one, while two servers count and everybody works', async () => {
  const key = await server.addApiKey();
  const ids = await insertAlerts(server.database, Array.from({ length: 1_200 }, anyAlert));
  const hits = ids.flatMap((alertId) => RULES.filter(() => below(4) === 0).map((ruleId) => ({ alertId, ruleId })));
  await server.database.transaction((tx) => addRuleHits(tx, [...hits, ...hits.slice(0, 9)]));
  await flapSome(ids.slice(600));
  const today = new Date().toISOString().slice(0, 10);
  const isDone = { value: false };
  const ask = async (keeper: InsightKeeper) => {
    const query = { from: addDays(today, -1), to: addDays(today, 1), timeZone: 'UTC' };
    while (!isDone.value) await keeper.ask({ query, person: 'everybody', now: Date.now() });
  };
  const arrive = async (sender: number) => {
    for (let number = 0; number < 25; number += 1) {
      const problem = { customer: 'Storm', title: 'Down', severity: oneOf(['critical', 'warning']) };
      const dedupKey = `${sender}-${below(20)}`;
      await admin.post(key, { ...problem, dedup_key: dedupKey, status: oneOf(['firing', 'resolved']) });
    }
  };
  const asking = Promise.all([ask(server.insight), ask(other)]);
  const working = Promise.all([
    ...members.map((member) => work(member, ids.slice(FINISHED), 15)),
    finish(members[0] ?? admin, ids.slice(0, FINISHED)),
    arrive(1),
    arrive(2),
    arrive(3),
    flapSome(ids.slice(0, 600)),
  ]).finally(() => (isDone.value = true));
  // Both, whichever fails: what goes on alone would fail in the next test.
  const [worked, asked] = await Promise.allSettled([working, asking]);
  expect([worked.status, asked.status]).toEqual(['fulfilled', 'fulfilled']);
  await Promise.all([server.insight.caughtUp(), other.caughtUp()]);

  const whole = { from: '2026-03-01', to: '2026-11-30', timeZone: 'Europe/Berlin' } as InsightQuery;
  const { totals } = await server.insight.ask({ query: whole, person: 'everybody', now: Date.now() });
  expect(totals.accept.alerts).toBeGreaterThan(100);
  expect(totals.complete.alerts).toBeGreaterThanOrEqual(FINISHED);
  await expectSame(other, whole);

  const anyQuery = fc.record({
    from: fc.constantFrom(...CHANGES).map((moment) => new Date(moment - 2 * DAY_MS).toISOString().slice(0, 10)),
    length: fc.nat(8),
    timeZone: fc.constantFrom(...ZONES),
    filter: fc.record(
      {
        customer: fc.constantFrom('prod-eu', 'Ümlaut & Söhne'),
        alertType: fc.constantFrom('disk', 'latency'),
        sourceId: fc.constantFrom('01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', '01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa81'),
        personId: fc.nat(2).map((number) => members[number]?.id ?? ''),
      },
      { requiredKeys: [] },
    ),
  });
  await fc.assert(
    fc.asyncProperty(anyQuery, async ({ from, length, timeZone, filter }) => {
      const query = { from, to: addDays(from, length), timeZone, ...filter } as InsightQuery;
      await expectSame(oneOf([server.insight, other]), query);
    }),
    { numRuns: 8 },
  );
  await expectSame(other, {
    from: addDays(today, -1),
    to: addDays(today, 1),
    timeZone: 'Asia/Kathmandu',
  } as InsightQuery);
});

test('counts after an upgrade what began to flap while a server of the earlier release counted', async () => {
  const query = { from: '2020-02-01', to: '2020-02-28', timeZone: 'UTC' } as InsightQuery;
  const receivedAt = Date.parse('2020-02-15T12:00Z');
  const ids = await insertAlerts(server.database, [{ receivedAt }, { receivedAt }]);
  const entries = ids.map((alertId) => ({ alertId, action: 'flapping' as const, userDisplayName: 'Alertdesk' }));
  await server.database.transaction((tx) => addHistories(tx, entries));
  await server.insight.caughtUp();
  const flapped = async () =>
    (await server.insight.ask({ query, person: 'everybody', now: Date.now() })).totals.flapped;
  expect(await flapped()).toBe(2);
  // As it is two hours later, where the earlier release has counted the entries, which says nothing of what flaps.
  const hour = 60 * 60_000;
  await server.insight.close();
  await server.database.transaction(async (tx) => {
    const chunks: { firstId: string; data: Uint8Array }[] = await tx.query(
      'SELECT first_id AS firstId, data FROM insight_chunks',
      [],
    );
    for (const { firstId, data } of chunks) {
      const facts = factsOf(decodeChunk(data)).map((fact) =>
        ids.includes(fact.id) ? Object.assign(fact, { flapped: 0 }) : fact,
      );
      await tx.query('UPDATE insight_chunks SET data = ?, version = version + 1 WHERE first_id = ?', [
        encodeChunk(facts),
        firstId,
      ]);
    }
    for (const [number, id] of ids.entries()) {
      await tx.query("UPDATE alert_history SET id = ? WHERE alert_id = ? AND action = 'flapping'", [
        firstIdAt(Date.now() - 2 * hour + number),
        id,
      ]);
    }
    await tx.query(
      'UPDATE insight_progress SET version = version + 1, repeat_id = ?, ' +
        'alert_id = (SELECT MAX(id) FROM alerts), history_id = (SELECT MAX(id) FROM alert_history)',
      [firstIdAt(Date.now() - 3 * hour)],
    );
  });
  server = await server.restart();
  await server.insight.caughtUp();
  expect(await flapped()).toBe(2);
  await expectSame(server.insight, query);
});

test('goes on where it was after a restart, and counts what came meanwhile once', async () => {
  const query = { from: '2020-01-01', to: '2020-01-31', timeZone: 'UTC' } as InsightQuery;
  const receivedAt = Date.parse('2020-01-15T12:00Z');
  const [id = ''] = await insertAlerts(server.database, [{ receivedAt }, { receivedAt }]);
  await expectSame(server.insight, query);
  server = await server.restart();
  const again = await server.signedIn({ role: 'admin' });
  await again.send('POST', `/api/alerts/${id}/accept`);
  await insertAlerts(server.database, [{ receivedAt }]);
  await server.insight.caughtUp();
  await expectSame(server.insight, query);
});

test('does not count for those who were answered already that it takes too long', async () => {
  const query = { from: '2020-01-01', to: '2020-01-31', timeZone: 'UTC' } as InsightQuery;
  let answers = 0;
  const follow = (worker: Worker) =>
    worker.on('message', ({ type }: InsightMessage) => {
      if (type === 'answer') answers += 1;
    });
  process.once('worker', follow);
  const impatient = openInsight({ ...server, logger: createLogger('silent') }, 1);
  onTestFinished(() => impatient.close());
  const asked = Array.from({ length: 20 }, () => impatient.ask({ query, person: 'everybody', now: Date.now() }));
  await Promise.allSettled(asked);
  await impatient.caughtUp();
  // Some may have been counted while their time ran out.
  expect(answers).toBeLessThan(asked.length);
});
