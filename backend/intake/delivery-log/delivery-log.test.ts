import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sqliteDialect } from '#backend/platform/database/dialect.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createDeliveryLog } from './delivery-log.ts';
import type { LoggedUse } from './delivery-entity.ts';
import type { LoggedRequest } from './delivery-row.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const request = (id: string, sourceId: string | null = 'source'): LoggedRequest => ({
  id,
  source: sourceId === null ? null : { id: sourceId, keepBodiesUpTo: 0 },
  receivedAt: 1,
  outcome: 'new',
  way: 'key',
  summary: id,
  results: [],
  target: '/webhook',
  rawHeaders: [],
  body: null,
  bodyOfAlert: null,
  secrets: [],
  status: 202,
  sender: 'generic',
  recognisedBy: null,
  method: 'POST',
  size: 2,
  durationMs: 1,
  remoteAddress: '127.0.0.1',
  replayOf: null,
  isUnverified: false,
  maskedKey: null,
});

/** A log in front of a database that fails as often as a test says, with what it wrote, published and dropped. */
function setUp(failures: readonly unknown[] = [], during: () => unknown = () => undefined) {
  const rest = [...failures];
  const seen = { attempts: 0, dropped: 0, published: [] as (string | null)[], logged: [] as string[] };
  const events = createEventBus((error) => expect.unreachable(String(error)));
  events.subscribe((event) => event.type === 'source_changed' && seen.published.push(event.sourceId));
  const log = createDeliveryLog({
    database: {
      dialect: sqliteDialect,
      transaction: async () => {
        seen.attempts += 1;
        during();
        const failure = rest.shift();
        if (failure) throw failure;
        return undefined as never;
      },
    },
    events,
    logger: createLogger('silent'),
    observe: (deliveries) => (seen.dropped += deliveries),
    onLogged: (uses: readonly LoggedUse[]) => seen.logged.push(...uses.map((use) => (use as { id?: string }).id ?? '')),
  });
  return { log, seen };
}

const away = () => Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
const refused = () => Object.assign(new Error('NOT NULL'), { code: 'SQLITE_CONSTRAINT_NOTNULL' });
const afterMs = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('a request that cannot be logged is dropped and counted, and its sender is answered all the same', () => {
  const { log, seen } = setUp();
  // What no request is: it has no headers at all.
  log.add({ ...request('one'), rawHeaders: undefined } as unknown as LoggedRequest);
  expect(seen.dropped).toBe(1);
  expect(log.queued()).toBe(0);
});

test('what comes within a fraction of a second is written in one transaction, and published once', async () => {
  const { log, seen } = setUp();
  for (const id of ['one', 'two']) log.add(request(id));
  await afterMs(199);
  expect([seen.attempts, log.queued()]).toEqual([0, 2]);
  await afterMs(1);
  expect(seen).toMatchObject({ attempts: 1, logged: ['one', 'two'], published: ['source'], dropped: 0 });
  expect(log.queued()).toBe(0);
});

test('many are written before the time is up, in the next turn of the event loop', async () => {
  const { log, seen } = setUp();
  for (let number = 0; number < 200; number += 1) log.add(request(String(number)));
  for (let step = 0; step < 20; step += 1) await undefined;
  expect(seen.attempts).toBe(0);
  await nextTurn();
  expect(seen.logged).toHaveLength(200);
});

test('while the database is away they are tried again each second', async () => {
  const { log, seen } = setUp([away(), away()]);
  log.add(request('one'));
  await afterMs(200);
  await afterMs(999);
  expect([seen.attempts, log.queued()]).toEqual([1, 1]);
  await afterMs(1);
  expect(seen).toMatchObject({ attempts: 2, logged: [] });
  await afterMs(60_000);
  expect(seen).toMatchObject({ attempts: 3, logged: ['one'], dropped: 0 });
  expect(log.queued()).toBe(0);
});

test('what comes during an attempt that fails is written after what was tried', async () => {
  const { log, seen } = setUp([away()], () => seen.attempts === 1 && log.add(request('two')));
  log.add(request('one'));
  await afterMs(2_000);
  expect(seen).toMatchObject({ attempts: 2, logged: ['one', 'two'] });
});

test('one that the database refuses is dropped, and its neighbours are written', async () => {
  const { log, seen } = setUp([refused(), undefined, refused()]);
  for (const id of ['one', 'two', 'three']) log.add(request(id));
  await afterMs(200);
  expect(seen).toMatchObject({ logged: ['one', 'three'], dropped: 1 });
  expect(log.queued()).toBe(0);
});

test('a database that goes away while the refused one is looked for keeps the rest for later', async () => {
  const { log, seen } = setUp([refused(), undefined, away()]);
  for (const id of ['one', 'two', 'three']) log.add(request(id));
  await afterMs(200);
  expect(seen.logged).toEqual(['one']);
  await afterMs(1_000);
  expect(seen).toMatchObject({ logged: ['one', 'two', 'three'], dropped: 0 });
});

test('strangers take a hundred places between two writes, and leave those of sources free', async () => {
  const { log, seen } = setUp();
  for (let number = 0; number < 105; number += 1) log.add(request(`stranger ${number}`, null));
  log.add(request('known'));
  expect([log.queued(), seen.dropped]).toEqual([101, 5]);
  await afterMs(200);
  log.add(request('stranger again', null));
  await afterMs(200);
  expect([seen.logged.at(-1), seen.dropped]).toEqual(['stranger again', 5]);
});

test('more than may wait is dropped and counted', async () => {
  const failures = Array.from({ length: 500 }, away);
  const { log, seen } = setUp(failures);
  for (let number = 0; number < 20_010; number += 1) log.add(request(String(number)));
  await afterMs(0);
  expect([log.queued(), seen.dropped]).toEqual([20_000, 10]);
});

test('a source that is used all the time is published at once, and then once a second', async () => {
  const { log, seen } = setUp();
  for (let number = 0; number < 10; number += 1) {
    log.add(request(String(number)));
    await log.flush();
    await afterMs(200);
  }
  // At once, after one second, and after two: the last for what came until then.
  expect(seen.published).toEqual(['source', 'source', 'source']);
  await afterMs(60_000);
  expect(seen.published).toHaveLength(3);
});
