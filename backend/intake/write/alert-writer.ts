import { setTimeout as wait } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { Dialect } from '#backend/platform/database/dialect.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { withPatienceToTheEnd } from '#backend/platform/database/patience.ts';
import { notSignedIn, unavailable } from '#backend/platform/endpoint/errors.ts';
import { type Logger, createSeldomLog } from '#backend/platform/logger/logger.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/platform/metrics/observers.ts';
import { NO_TRACING, type Span, type Tracing } from '#backend/platform/tracing/tracing.ts';
import { keyReused } from './deliveries.ts';
import type { IncomingDelivery } from './incoming-delivery.ts';
import { badApiKey } from './ingest-answers.ts';
import type { BatchWriter, EventResult, WriteOutcome } from './write-batch.ts';

/** Stores alerts durably. */
export interface AlertWriter {
  /**
   * Resolves after the commit that holds the delivery, with what became of each of its events.
   *
   * @throws {ProblemError} 401 when the API key was deleted or the session ended before the commit, 409 when the idempotency key was used for another body, 503 when the queue is full, the
   * server is stopping, or the database is away.
   */
  write(delivery: IncomingDelivery): Promise<EventResult[]>;
  /**
   * Refuses what would be refused anyway before its body is read, and not at once: senders that come again as fast as they
   * are answered would leave no time for storing.
   *
   * @returns undefined while there is space; else what rejects with a ProblemError, 503
   */
  expectRoom(): Promise<void> | undefined;
  /** What is queued to be stored. */
  queued(): { alerts: number; bytes: number };
  /** Takes nothing more and waits until all that was taken is committed. */
  stop(): Promise<void>;
}

/** One commit holds at most so many alerts and so many bytes; MySQL's smallest usual packet is 16 MiB. */
const MAX_BATCH_ROWS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * What may be queued for the database: what a usual machine stores in one to two seconds. Beyond it senders get 503, instead
 * of memory growing: each alert takes 5 to 10 KB until it is answered.
 */
const MAX_QUEUED_ROWS = 8_000;
const MAX_QUEUED_BYTES = 48 * 1024 * 1024;

/** Queued for so long while a batch failed for want of a database, an alert is refused with it, in milliseconds. */
const LATE_MS = 1_000;

/**
 * How long a 503 is held back, in milliseconds, while so many others are: senders that ignore `Retry-After` and send again at
 * once would leave no time to store what is queued.
 */
const refusedAfterMs = (others: number): number => Math.min(100 + 0.4 * others, 600);

/**
 * Nothing more is queued while the first in the queue waits for so long, in milliseconds: a queue that is full would take a slow
 * machine half a minute. What waits for longer than the second all the same is not stored: its sender has given up, or is asked
 * to come again.
 */
const FULL_AFTER_MS = 2_500;
const GIVEN_UP_AFTER_MS = 5_000;

/**
 * After a batch others have their turn for as long as the batch took, at most so many milliseconds, and as long as there is
 * something to be done: a turn that is this short did nothing. SQLite stores on the thread that answers everybody.
 */
const LONGEST_REST_MS = 50;
const SHORT_TURN_MS = 0.3;

const tooManyQueued = () => unavailable('Too many alerts are waiting to be stored. Send the alert again.', 2);

interface PendingWrite {
  delivery: IncomingDelivery;
  bytes: number;
  /** When it was queued, by this process's clock, in milliseconds. */
  since: number;
  /** The trace of the request that it came with. */
  span: Span | undefined;
  resolve(results: EventResult[]): void;
  reject(error: unknown): void;
}

/**
 * Group commit: what arrives while one commit runs is stored by the next. No timer waits for a batch to fill: a lone
 * alert is committed at once, and under load the batches grow by themselves. What a batch changes is published after its commit
 * and before its answers.
 */
export function createAlertWriter({
  writeBatch,
  dialect,
  logger,
  observer = UNOBSERVED.ingest,
  tracing = NO_TRACING,
  clock = () => performance.now(),
}: {
  writeBatch: BatchWriter;
  dialect: Dialect;
  logger: Logger;
  observer?: IngestObserver;
  tracing?: Tracing;
  /** Milliseconds that never go back, by which what is queued grows old. */
  clock?: () => number;
}): AlertWriter {
  const logSeldom = createSeldomLog(logger);
  let queue: PendingWrite[] = [];
  let queuedBytes = 0;
  let queuedEvents = 0;
  let isStopping = false;
  let commits: Promise<void> | undefined;

  const waitedMs = (): number => (queue[0] ? clock() - queue[0].since : 0);
  const isFull = (more: number): boolean =>
    queuedEvents >= MAX_QUEUED_ROWS || queuedBytes + more > MAX_QUEUED_BYTES || waitedMs() >= FULL_AFTER_MS;

  let refusing = 0;
  const refuseLater = async (): Promise<void> => {
    await wait(refusedAfterMs(refusing++));
    refusing -= 1;
    throw tooManyQueued();
  };

  /** Gives up what has waited for too long. */
  const giveUpLate = (): void => {
    const before = clock() - GIVEN_UP_AFTER_MS;
    const found = queue.findIndex(({ since }) => since >= before);
    const late = queue.splice(0, found === -1 ? queue.length : found);
    for (const { delivery, bytes, reject } of late) {
      queuedBytes -= bytes;
      queuedEvents -= delivery.events.length;
      reject(tooManyQueued());
    }
  };

  const takeBatch = (): PendingWrite[] => {
    let taken = 0;
    let rows = 0;
    let bytes = 0;
    for (const { delivery, bytes: size } of queue) {
      rows += delivery.events.length;
      bytes += size;
      if (taken > 0 && (rows > MAX_BATCH_ROWS || bytes > MAX_BATCH_BYTES)) break;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    forget(batch);
    return batch;
  };

  const forget = (batch: readonly PendingWrite[]): void => {
    for (const { delivery, bytes } of batch) {
      queuedBytes -= bytes;
      queuedEvents -= delivery.events.length;
    }
  };

  const refuse = (batch: readonly PendingWrite[], error: unknown): void => {
    for (const { reject } of batch) {
      reject(
        // Whoever answers the request says of damage what is to be done, in the log too.
        dialect.isDamaged(error)
          ? error
          : unavailable('The database is not available right now. Send the alert again.', 5, error),
      );
    }
  };

  /** The next batch may wait as long as this one did: who has waited already gets an answer in time. */
  const refuseLate = (error: unknown): void => {
    const since = performance.now() - LATE_MS;
    const late = queue.filter((one) => one.since < since);
    if (late.length === 0) return;
    queue = queue.filter((one) => one.since >= since);
    forget(late);
    refuse(late, error);
  };

  const settle = (pending: PendingWrite, outcome: WriteOutcome, now: number) => {
    if (outcome.kind === 'revoked') {
      pending.reject(pending.delivery.sessionId === undefined ? badApiKey() : notSignedIn());
      return;
    }
    if (outcome.kind === 'other-body') {
      pending.reject(keyReused());
      return;
    }
    for (const { outcome: kind } of outcome.results) {
      if (kind === 'duplicate') observer.repeated();
      else observer.accepted((now - pending.since) / 1000);
    }
    pending.resolve(outcome.results);
  };

  const store = (batch: PendingWrite[]): Promise<void> =>
    tracing.isOn
      ? tracing.step('ingest commit', { 'alertdesk.deliveries': batch.length }, () => storeBatch(batch), {
          workFor: batch.flatMap(({ span }) => span ?? []),
        })
      : storeBatch(batch);

  const storeBatch = async (batch: PendingWrite[]): Promise<void> => {
    const write = () => writeBatch(batch.map(({ delivery }) => delivery));
    const written = await withPatienceToTheEnd(write).catch((error: unknown) => recover(batch, error));
    if (!written) return;
    const { outcomes } = written;
    observer.committed(batch.reduce((sum, { delivery }) => sum + delivery.events.length, 0));
    const now = clock();
    for (const [index, outcome] of outcomes.entries()) {
      const pending = batch[index];
      if (pending) settle(pending, outcome, now);
      // The first are answered while the next are made: settled at once, none would be before all are ready to be.
      await undefined;
    }
  };

  /** Nothing of `batch` is stored. Rejects all, or finds the one alert that fails. */
  const recover = async (batch: PendingWrite[], error: unknown): Promise<undefined> => {
    if (dialect.isUnavailable(error)) {
      const fields = { err: error, alerts: batch.length };
      const reason = dialect.isDamaged(error) ? 'damaged' : 'not available';
      logSeldom(errorCode(error), fields, `alerts could not be stored: the database is ${reason}`);
      refuse(batch, error);
      refuseLate(error);
    } else if (batch.length === 1) {
      batch[0]?.reject(error);
    } else {
      logger.warn({ err: error, alerts: batch.length }, 'a batch of alerts failed; storing them one by one');
      for (const pending of batch) await store([pending]);
    }
    return undefined;
  };

  /** Stores batch after batch until nothing is pending. */
  const run = async () => {
    // Lets everything that this turn of the event loop brought in join the first batch.
    await new Promise(setImmediate);
    try {
      while (queue.length > 0) {
        const beganAt = performance.now();
        await store(takeBatch());
        // SQLite commits within one turn of the event loop. A long queue in a single turn would hold up every other request,
        // and keep senders out: a turn accepts one connection.
        if (queue.length > 0) await letOthersGo(dialect.name === 'sqlite' ? performance.now() - beganAt : 0);
        if (!isStopping) giveUpLate();
      }
    } finally {
      // In the same step as the last look at the queue: what comes after it starts the next run.
      commits = undefined;
    }
  };

  return {
    write(delivery) {
      const { events: brought } = delivery;
      if (brought.length === 0) return Promise.resolve([]);
      const bytes = brought.reduce((sum, { payload, extraData }) => sum + payload.length + extraData.length, 0);
      if (isStopping) return Promise.reject(unavailable('The server is stopping. Send the alert again.', 5));
      if (isFull(bytes)) return Promise.reject(tooManyQueued());
      return new Promise((resolve, reject) => {
        queue.push({ delivery, bytes, since: clock(), span: tracing.active(), resolve, reject });
        queuedBytes += bytes;
        queuedEvents += brought.length;
        commits ??= run();
      });
    },
    expectRoom: () => (isFull(0) ? refuseLater() : undefined),
    queued: () => ({ alerts: queuedEvents, bytes: queuedBytes }),
    async stop() {
      isStopping = true;
      await commits;
    },
  };
}

/** Leaves the event loop to others for so many milliseconds, or until they have nothing to do. */
async function letOthersGo(milliseconds: number): Promise<void> {
  const until = performance.now() + Math.min(milliseconds, LONGEST_REST_MS);
  // The first turn may be the rest of the present one.
  await new Promise(setImmediate);
  for (let turnMs = Number.POSITIVE_INFINITY; turnMs > SHORT_TURN_MS && performance.now() < until;) {
    const beganAt = performance.now();
    await new Promise(setImmediate);
    turnMs = performance.now() - beganAt;
  }
}
