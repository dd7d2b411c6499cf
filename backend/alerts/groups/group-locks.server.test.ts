import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { wakeDue } from '#backend/alerts/commands/waking.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { type BatchWriter, NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { untilQueued } from '#tests/support/until-queued.ts';
import { AlertGroupEntity, type StoredGroup } from './group-entities.ts';
import { lockGroups } from './join-groups.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** Counts how often transactions are run: a deadlock has one run again. */
function counted(): { database: Database; runs: () => number } {
  let runs = 0;
  const transaction: Database['transaction'] = (work, options) =>
    server.database.transaction((tx) => {
      runs += 1;
      return work(tx);
    }, options);
  return { database: { ...server.database, transaction }, runs: () => runs };
}

const writerOf = (database: Database): BatchWriter =>
  createBatchWriter(database, NO_ECHOES, {
    ...NOTHING_DECIDES,
    grouping: { active: () => [{ kind: 'names', withinMinutes: 60 }] },
  });

/** Reports of a customer’s problem, or of something new. */
const delivery = (
  receivedAt: number,
  reports: readonly { customer: string; dedupKey?: string }[],
): IncomingDelivery => ({
  source: { id: 'built-in', name: 'Servers', secretId: null },
  policy: { ...DEFAULT_POLICY, notifyAgainAfterMs: HOUR_MS },
  isOwn: true,
  receivedAt,
  events: reports.map(({ customer, dedupKey = null }) => ({
    ...plainEvent({
      payload: jsonText('{}'),
      extraData: jsonText('{}'),
      customer,
      alertType: 'disk.full',
      url: '/webhook',
    }),
    state: 'firing',
    dedupKey,
  })),
});

/** Makes a group for each of these customers, one after the other; in the order of their ids. */
async function makeGroups(at: number, customers: readonly string[]): Promise<StoredGroup[]> {
  const write = writerOf(server.database);
  for (const customer of customers) await write([delivery(at, [{ customer, dedupKey: customer }])]);
  const groups = await server.database.reads.getRepository(AlertGroupEntity).find({ order: { id: 'ASC' } });
  return groups.filter(({ shared }) => customers.some((customer) => shared.includes(customer)));
}

const untilWaiting = () => untilQueued(server.database, '%alert_groups%FOR UPDATE%');

/** Stores a batch while another transaction has the first group, and then takes the second; how often both were run. */
async function cross(groups: readonly StoredGroup[], batch: IncomingDelivery): Promise<number[]> {
  const [one, other] = [counted(), counted()];
  const write = writerOf(other.database);
  const held = Promise.withResolvers<void>();
  const written = held.promise.then(() => write([batch]));
  await one.database.transaction(async (tx) => {
    await lockGroups(tx, [groups[0]?.id ?? '']);
    held.resolve();
    if (one.runs() === 1) await untilWaiting();
    await lockGroups(tx, [groups[1]?.id ?? '']);
  });
  await written;
  return [one.runs(), other.runs()];
}

const customerOf = ({ shared }: StoredGroup, customers: readonly string[]): string =>
  customers.find((customer) => shared.includes(customer)) ?? '';

test('a batch waits for groups in the order of their ids, whatever they have in common', async () => {
  const customers = Array.from({ length: 9 }, (_, n) => `Hashed ${n}!`);
  const at = Date.now();
  const groups = await makeGroups(at, customers);
  const later = groups.findIndex(({ openKey }, n) => n > 0 && (openKey ?? '') < (groups[n - 1]?.openKey ?? ''));
  const pair = groups.slice(later - 1, later + 1);
  expect(pair).toHaveLength(2);
  const reports = pair.map((group) => ({ customer: customerOf(group, customers) }));
  expect(await cross(pair, delivery(at, reports))).toEqual([1, 1]);
  const stored = await makeGroups(at, customers);
  expect(pair.map(({ id }) => stored.find((group) => group.id === id)?.alerts)).toEqual([2, 2]);
});

test('a batch waits for the groups of what notifies again and of what is new together', async () => {
  const customers = ['New!', 'Silent!'];
  const at = Date.now();
  const groups = await makeGroups(at - 2 * HOUR_MS, customers);
  const batch = delivery(at, [{ customer: 'Silent!', dedupKey: 'Silent!' }, { customer: 'New!' }]);
  // The other group goes on only where its last alert is young enough.
  await writerOf(server.database)([delivery(at - 65 * MINUTE_MS, [{ customer: 'New!' }])]);
  await writerOf(server.database)([delivery(at - 30 * MINUTE_MS, [{ customer: 'New!' }])]);
  expect(groups.map((group) => customerOf(group, customers))).toEqual(customers);
  expect(await cross(groups, batch)).toEqual([1, 1]);
});

test('a snoozed card that wakes waits for its group before it counts, as a batch of its storm does', async () => {
  const [group] = await makeGroups(Date.now(), ['Asleep!']);
  const alerts = server.database.reads.getRepository(AlertEntity);
  const find = () => alerts.findOneByOrFail({ groupId: group?.id ?? '' });
  const member = await server.signedIn();
  await member.send('POST', `/api/alerts/${(await find()).id}/snooze`, { minutes: 60 });
  const asleep = await find();
  const [one, other] = [counted(), counted()];
  const waking = {
    database: other.database,
    now: () => Date.now() + 61 * MINUTE_MS,
    logger: createLogger('silent'),
    events: { subscribe: () => () => undefined, publish: () => undefined },
  };
  const held = Promise.withResolvers<void>();
  const woken = held.promise.then(() => wakeDue(waking, new AbortController().signal));
  await one.database.transaction(async (tx) => {
    await lockGroups(tx, [group?.id ?? '']);
    held.resolve();
    if (one.runs() === 1) await untilWaiting();
    const awake = { ...asleep, snoozedUntil: null };
    await countChanges(tx, [{ before: asleep, after: awake }]);
    await countChanges(tx, [{ before: awake, after: asleep }]);
  });
  await woken;
  expect([one.runs(), other.runs()]).toEqual([1, 1]);
  expect(await find()).toMatchObject({ snoozedUntil: null, wokenAt: expect.any(Number) as number });
  await expectTrueCounts(server.database);
});
