import { describe, expect, test, vi } from 'vitest';
import { NO_PROBLEM } from '#backend/alerts/alert/alert.ts';
import type { EventOutcome } from '#backend/contract/delivery.ts';
import { type Dialect, sqliteDialect } from '#backend/platform/database/dialect.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { createAlertWriter } from './alert-writer.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import type { BatchWriter } from './write-batch.ts';
import { UNOBSERVED } from '#backend/platform/metrics/observers.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const alert = (name: string, bytes = 2): IncomingDelivery => ({
  source: { id: 'source', name: 'Source', secretId: 'secret' },
  policy: DEFAULT_POLICY,
  receivedAt: 1,
  events: [
    plainEvent({
      payload: jsonText(`"${'x'.repeat(bytes - 2)}"`),
      extraData: jsonText('{}'),
      customer: name,
      alertType: null,
      url: '/webhook',
    }),
  ],
});

/** A writer in front of a store that takes as long as a test says. */
function setUp(store: BatchWriter, dialect: Dialect = sqliteDialect, clock?: () => number) {
  const stored: string[] = [];
  const writeBatch: BatchWriter = async (batch) => {
    const written = await store(batch);
    stored.push(...written.alerts.map((one) => one.alert.customer ?? ''));
    return written;
  };
  const logger = createLogger('silent');
  const writer = createAlertWriter({ writeBatch, dialect, logger, ...(clock && { clock }) });
  return { writer, stored };
}

const storeAll: BatchWriter = async (batch) => ({
  outcomes: batch.map(({ events: [event] }) => ({ kind: 'written', results: [resultOf('new', nameOf(event))] })),
  alerts: batch.map(({ events: [event] }) => ({
    alert: {
      ...NO_PROBLEM,
      id: nameOf(event),
      receivedAt: 1,
      status: 'pending',
      customer: nameOf(event),
      alertType: null,
      url: '/webhook',
      payload: '{}',
      extraData: '{}',
      ownerId: null,
      folderId: null,
      sourceName: 'Key',
    },
    ownerName: null,
    isNew: true,
    isReopened: false,
    reason: undefined,
    isQuiet: false,
    readAt: undefined,
  })),
});

const nameOf = (event: IncomingEvent | undefined): string => event?.customer ?? '';

const resultOf = (outcome: EventOutcome, alertId: string, receivedAt = 1) => ({
  outcome,
  alertId,
  receivedAt,
  occurrences: 1,
});

const databaseError = (code: string) => Object.assign(new Error(code), { code });

describe('group commit', () => {
  test('what arrives together, and what arrives during a commit, shares a commit', async () => {
    const gate = Promise.withResolvers<void>();
    const sizes: number[] = [];
    const { writer } = setUp(async (batch) => {
      sizes.push(batch.length);
      if (sizes.length === 1) await gate.promise;
      return storeAll(batch);
    });
    const first = [writer.write(alert('1')), writer.write(alert('2'))];
    await waitFor(() => expect(sizes).toHaveLength(1));
    const second = Array.from({ length: 30 }, (_, index) => writer.write(alert(String(index))));
    gate.resolve();
    await Promise.all([...first, ...second]);
    expect(sizes).toEqual([2, 30]);
  });

  test('the first of a batch is answered before the last is counted', async () => {
    const steps: string[] = [];
    const writer = createAlertWriter({
      writeBatch: storeAll,
      dialect: sqliteDialect,
      logger: createLogger('silent'),
      observer: { ...UNOBSERVED.ingest, accepted: () => void steps.push('counted') },
    });
    const answer = () => steps.push('answered');
    await Promise.all(['1', '2', '3', '4'].map((name) => writer.write(alert(name)).then(answer)));
    expect(steps.indexOf('answered')).toBeLessThan(steps.lastIndexOf('counted'));
  });

  test('lets everything else have a turn of the event loop between two commits, even if a commit takes none itself', async () => {
    const turnsAtCommit: number[] = [];
    let turns = 0;
    const { writer } = setUp((batch) => {
      turnsAtCommit.push(turns);
      return storeAll(batch);
    });
    const writes = Array.from({ length: 700 }, (_, index) => writer.write(alert(String(index))));
    const count = () => {
      turns += 1;
      if (turnsAtCommit.length < 3) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all(writes);
    expect(turnsAtCommit).toEqual([...new Set(turnsAtCommit)]);
    expect(turnsAtCommit).toHaveLength(3);
  });

  test('runs one commit at a time: what arrives meanwhile makes the next batch larger', async () => {
    const gate = Promise.withResolvers<void>();
    let running = 0;
    const { writer, stored } = setUp(async (batch) => {
      running += 1;
      await gate.promise;
      return storeAll(batch);
    });
    const writes: Promise<unknown>[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      writes.push(writer.write(alert(String(turn))));
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    expect(running).toBe(1);
    gate.resolve();
    await Promise.all(writes);
    expect(stored.length).toBe(10);
  });

  test('no answer comes before its commit', async () => {
    const gate = Promise.withResolvers<void>();
    const { writer, stored } = setUp(async (batch) => {
      await gate.promise;
      return storeAll(batch);
    });
    const answer = writer.write(alert('a'));
    const answered = vi.fn<() => void>();
    void answer.finally(answered);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(answered).not.toHaveBeenCalled();
    expect(stored).toEqual([]);
    gate.resolve();
    await answer;
    expect(stored).toEqual(['a']);
  });

  test('a commit is bounded in rows and in bytes', async () => {
    const sizes: number[] = [];
    const store: BatchWriter = (batch) => {
      sizes.push(batch.length);
      return storeAll(batch);
    };
    const many = setUp(store).writer;
    await Promise.all(Array.from({ length: 300 }, () => many.write(alert('a'))));
    expect(sizes).toEqual([256, 44]);

    sizes.length = 0;
    const large = setUp(store).writer;
    await Promise.all(Array.from({ length: 5 }, () => large.write(alert('a', 1024 * 1024))));
    expect(sizes).toEqual([3, 2]);
  });
});

describe('failures', () => {
  test('one alert that cannot be stored does not take its neighbours with it', async () => {
    const { writer, stored } = setUp(async (batch) => {
      if (batch.some(({ events: [event] }) => nameOf(event) === 'poison'))
        throw databaseError('SQLITE_CONSTRAINT_NOTNULL');
      return storeAll(batch);
    });
    const results = await Promise.allSettled(['a', 'poison', 'b'].map((name) => writer.write(alert(name))));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored).toEqual(['a', 'b']);
  });

  test('an alert that meets damage is refused with the error that says so', async () => {
    const { writer } = setUp(() => Promise.reject(databaseError('SQLITE_CORRUPT')));
    await expect(writer.write(alert('one'))).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' });
  });

  test('a database that is away is a 503 for everybody who is queued, and the next alert is tried again', async () => {
    let isAway = true;
    const attempts: number[] = [];
    const { writer } = setUp(async (batch) => {
      attempts.push(batch.length);
      if (isAway) throw databaseError('SQLITE_FULL');
      return storeAll(batch);
    });
    const results = await Promise.allSettled(['a', 'b'].map((name) => writer.write(alert(name))));
    expect(results).toMatchObject([
      { reason: { status: 503, retryAfterSeconds: 5 } },
      { reason: { status: 503, retryAfterSeconds: 5 } },
    ]);
    expect(attempts).toEqual([2]);
    isAway = false;
    expect(await writer.write(alert('c'))).toEqual([resultOf('new', 'c')]);
  });

  test('a queue that is full refuses instead of growing', async () => {
    const gate = Promise.withResolvers<void>();
    const { writer } = setUp(async (batch) => {
      await gate.promise;
      return storeAll(batch);
    });
    const writes = Array.from({ length: 8_001 }, () => writer.write(alert('a')));
    const last = writes.pop();
    await expect(last).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
    gate.resolve();
    expect((await Promise.all(writes)).length).toBe(8_000);
  });

  test('a 503 is held back longer the more of them are', async () => {
    const gate = Promise.withResolvers<void>();
    const { writer } = setUp(async (batch) => {
      await gate.promise;
      return storeAll(batch);
    });
    const writes = Array.from({ length: 8_000 }, () => writer.write(alert('a')));
    const waits: number[] = [];
    const beganAt = performance.now();
    const refused = Array.from({ length: 1_000 }, () =>
      writer.expectRoom()?.catch(() => waits.push(performance.now() - beganAt)),
    );
    await Promise.all(refused);
    expect(waits).toHaveLength(1_000);
    // However late a machine's timers are: none is early by more than a part of a millisecond that Node.js cuts off and one by
    // which it rounds, and the last waits five times as long as the first.
    expect(waits.findIndex((wait, others) => wait < 98 + 0.4 * others)).toBe(-1);
    expect(waits[999]).toBeGreaterThanOrEqual(497);
    gate.resolve();
    await Promise.all(writes);
  });

  test('a queue that takes long refuses, and gives up what waited for too long', async () => {
    let now = 0;
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const store: BatchWriter = async (batch) => {
      begun.resolve();
      await gate.promise;
      return storeAll(batch);
    };
    const { writer, stored } = setUp(store, sqliteDialect, () => now);
    const first = writer.write(alert('first'));
    await begun.promise;
    const second = writer.write(alert('second'));
    now = 2_000;
    const third = writer.write(alert('third'));
    now = 2_600;
    const refused = { status: 503, retryAfterSeconds: 2 };
    await expect(writer.write(alert('refused'))).rejects.toMatchObject(refused);
    await expect(writer.expectRoom()).rejects.toMatchObject(refused);
    now = 5_600;
    gate.resolve();
    await expect(second).rejects.toMatchObject(refused);
    await Promise.all([first, third]);
    expect(stored).toEqual(['first', 'third']);
    expect(writer.queued()).toEqual({ alerts: 0, bytes: 0 });
    expect(await writer.write(alert('after'))).toEqual([resultOf('new', 'after')]);
  });

  test('a repetition answers as the first did, and is no news', async () => {
    const repetition = resultOf('duplicate', 'first', 7);
    const { writer, stored } = setUp(async (batch) => ({
      outcomes: batch.map(() => ({ kind: 'written', results: [repetition] })),
      alerts: [],
    }));
    expect(await writer.write(alert('a'))).toEqual([repetition]);
    expect(stored).toEqual([]);
  });
});

test('stopping commits what was taken and takes no more', async () => {
  const { writer, stored } = setUp(storeAll);
  const taken = writer.write(alert('taken'));
  const stopping = writer.stop();
  await expect(writer.write(alert('late'))).rejects.toMatchObject({ status: 503 });
  await stopping;
  expect(stored).toEqual(['taken']);
  expect(await taken).toEqual([resultOf('new', 'taken')]);
});
