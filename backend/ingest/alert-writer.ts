import { performance } from 'node:perf_hooks';
import type { Dialect } from '#backend/database/dialect.ts';
import { ProblemError, notSignedIn, unavailable } from '#backend/endpoint/errors.ts';
import type { Logger } from '#backend/logger.ts';
import { type IngestObserver, UNOBSERVED } from '#backend/metrics/observers.ts';
import type { ReadAlert } from './read-alert.ts';
import type { BatchWriter, WriteOutcome } from './write-batch.ts';

/** One alert to be stored, with whom it came from and what makes its redelivery harmless. */
export interface IncomingAlert extends ReadAlert {
  apiKey: { id: string; name: string };
  /** The member's session (its stored hash) behind a test alert, which no stored API key stands behind. */
  sessionId?: string;
  receivedAt: number;
  /** SHA-256 of the sender's idempotency key and of the body, when the sender named one. */
  delivery: { keyHash: string; bodyHash: string } | undefined;
}

/** 401 for a webhook whose key is missing, unknown or deleted. */
export const badApiKey = (): ProblemError =>
  notSignedIn('The API key is missing or not valid; send it in the header X-Webhook-Auth.', 'Bearer realm="webhook"');

/** Stores alerts durably. */
export interface AlertWriter {
  /**
   * Resolves after the commit that holds the alert; with `isNew: false` when this delivery was stored before.
   *
   * @throws {ProblemError} 401 when the API key was deleted or the session ended before the commit, 409 when the idempotency key was used for another body, 503 when the queue is full, the
   * server is stopping, or the database is away.
   */
  write(alert: IncomingAlert): Promise<{ id: string; receivedAt: number }>;
  /** What waits to be stored. */
  queued(): { alerts: number; bytes: number };
  /** Takes nothing more and waits until all that was taken is committed. */
  stop(): Promise<void>;
}

/** One commit holds at most so many alerts and so many bytes; MySQL's smallest usual packet is 16 MiB. */
const MAX_BATCH_ROWS = 256;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** What may wait for the database. Beyond it senders are told to come again, instead of memory growing. */
const MAX_QUEUED_ROWS = 20_000;
const MAX_QUEUED_BYTES = 128 * 1024 * 1024;

interface Waiting {
  alert: IncomingAlert;
  bytes: number;
  /** When it began to wait, by this process's clock, in milliseconds. */
  since: number;
  resolve(outcome: { id: string; receivedAt: number }): void;
  reject(error: unknown): void;
}

/**
 * Group commit: what arrives while one commit runs is stored by the next. No timer waits for a batch to fill: a lone
 * alert is committed at once, and under load the batches grow by themselves.
 *
 * @param onStored told of every alert stored for the first time, in order, after its commit and before its answer.
 */
export function createAlertWriter(
  {
    writeBatch,
    dialect,
    logger,
    observer = UNOBSERVED.ingest,
  }: { writeBatch: BatchWriter; dialect: Dialect; logger: Logger; observer?: IngestObserver },
  onStored: (alert: IncomingAlert, id: string) => void,
): AlertWriter {
  let queue: Waiting[] = [];
  let queuedBytes = 0;
  let isStopping = false;
  let commits: Promise<void> | undefined;

  const takeBatch = (): Waiting[] => {
    let rows = 0;
    let bytes = 0;
    while (rows < queue.length && rows < MAX_BATCH_ROWS) {
      bytes += queue[rows]?.bytes ?? 0;
      if (rows > 0 && bytes > MAX_BATCH_BYTES) break;
      rows += 1;
    }
    const batch = queue.slice(0, rows);
    queue = queue.slice(rows);
    queuedBytes -= batch.reduce((sum, { bytes: size }) => sum + size, 0);
    return batch;
  };

  const settle = (waiting: Waiting, outcome: WriteOutcome, now: number) => {
    if (outcome.kind === 'revoked') {
      waiting.reject(waiting.alert.sessionId === undefined ? badApiKey() : notSignedIn());
      return;
    }
    if (outcome.kind === 'other-body') {
      waiting.reject(
        new ProblemError(409, 'idempotency-key-reused', 'This idempotency key was used before, with another body.'),
      );
      return;
    }
    if (outcome.kind === 'stored') {
      observer.accepted((now - waiting.since) / 1000);
      onStored(waiting.alert, outcome.id);
    } else {
      observer.repeated();
    }
    waiting.resolve({ id: outcome.id, receivedAt: outcome.receivedAt });
  };

  const store = async (batch: Waiting[]): Promise<void> => {
    const outcomes = await writeBatch(batch.map(({ alert }) => alert)).catch((error: unknown) => recover(batch, error));
    if (outcomes.length > 0) observer.committed(outcomes.length);
    const now = performance.now();
    for (const [index, outcome] of outcomes.entries()) {
      const waiting = batch[index];
      if (waiting) settle(waiting, outcome, now);
    }
  };

  /** Nothing of `batch` is stored. Tells everybody, or finds the one alert that is in the others' way. */
  const recover = async (batch: Waiting[], error: unknown): Promise<WriteOutcome[]> => {
    if (dialect.isUnavailable(error)) {
      logger.error({ err: error, alerts: batch.length }, 'alerts could not be stored: the database is not available');
      for (const { reject } of batch) {
        reject(unavailable('The database is not available right now. Send the alert again.', 5, error));
      }
    } else if (batch.length === 1) {
      batch[0]?.reject(error);
    } else {
      logger.warn({ err: error, alerts: batch.length }, 'a batch of alerts failed; storing them one by one');
      for (const waiting of batch) await store([waiting]);
    }
    return [];
  };

  /** Stores batch after batch until nothing waits. */
  const run = async () => {
    // Lets everything that this turn of the event loop brought in join the first batch.
    await new Promise(setImmediate);
    try {
      while (queue.length > 0) await store(takeBatch());
    } finally {
      // In the same step as the last look at the queue: what comes after it starts the next run.
      commits = undefined;
    }
  };

  return {
    write(alert) {
      const bytes = alert.payload.length + alert.extraData.length;
      if (isStopping) return Promise.reject(unavailable('The server is stopping. Send the alert again.', 5));
      if (queue.length >= MAX_QUEUED_ROWS || queuedBytes + bytes > MAX_QUEUED_BYTES) {
        return Promise.reject(unavailable('Too many alerts are waiting to be stored. Send the alert again.', 2));
      }
      return new Promise((resolve, reject) => {
        queue.push({ alert, bytes, since: performance.now(), resolve, reject });
        queuedBytes += bytes;
        commits ??= run();
      });
    },
    queued: () => ({ alerts: queue.length, bytes: queuedBytes }),
    async stop() {
      isStopping = true;
      await commits;
    },
  };
}
