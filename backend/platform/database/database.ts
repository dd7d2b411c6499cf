import { AsyncLocalStorage } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { DataSource, EntityManager } from 'typeorm';
import { type DatabaseError, type DatabaseObserver, UNOBSERVED } from '#backend/platform/metrics/observers.ts';
import { NO_TRACING, type Tracing } from '#backend/platform/tracing/tracing.ts';
import type { Dialect } from './dialect.ts';
import { errorCode } from './driver-errors.ts';
import type { AttachedReads } from './long-read-thread.ts';
import { renewPatience } from './patience.ts';
import type { ReadSnapshot } from './snapshot.ts';
import type { RunTransaction, Transaction, TransactionOptions } from './transaction.ts';

/**
 * How often a transaction that met a deadlock, or was refused by a node of a cluster, is run before its error is thrown. At
 * most so many milliseconds pass before the second attempt, at random, and twice as many before each later one: two servers
 * that refuse each other's would meet again.
 */
const MAX_ATTEMPTS = 6;
const PAUSE_MS = 4;

/**
 * A transaction that failed for reasons of timing is not run again after this long: its caller waits for an answer. So one
 * that has waited for a lock until MySQL gave up (`innodb_lock_wait_timeout`) is not: a second wait of that length would not
 * end within the five seconds in which everything is answered. A command runs it again after a deadlock however long it took,
 * and waits for a lock once, too: longer than any transaction of a server has it.
 */
const RETRY_WITHIN_MS = 2_000;

/** Slots that servers on one MySQL database spread their counters over. */
export const COUNTER_SLOTS = 16;

/** The one way to stored data. */
export interface Database {
  readonly dialect: Dialect;
  /** For reading outside a transaction. On SQLite this is a connection of its own that cannot write. */
  readonly reads: EntityManager;
  /**
   * For a `SELECT` that looks at so many rows that it would keep the event loop, and with it every request, for longer than a
   * few milliseconds. On SQLite it runs in a thread of its own; on MySQL it is like {@link reads}.
   */
  readonly longReads: AttachedReads;
  /**
   * Runs `work` in one transaction: all of it is stored, or none. `work` may run again when the database asks for it,
   * so it does nothing but read and write through `tx`, and announce what changed.
   *
   * On SQLite transactions run one after the other: its single connection would nest concurrent ones as savepoints of
   * each other, and one request's rollback would undo another's answered write. Nesting calls is therefore an error.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Has what transactions change (`Transaction.changes`) written down from now on. Without it, it is let go. */
  follow(log: ChangeLog): void;
  /** For reading a great deal as it is at one moment. On MySQL it takes one of the connections until it ends. */
  readonly snapshot: ReadSnapshot;
  /** Writes to this slot of counters from now on, from 0 to {@link COUNTER_SLOTS} - 1; SQLite has no slots. */
  useSlot(slot: number): void;
  /** How many transactions are queued; none ever is on MySQL. */
  waiting(): number;
  /** Whether the database answers, and whether its files are whole as far as anybody has met them. */
  check(): Promise<'ready' | 'unreachable' | 'damaged'>;
  /** Waits for running transactions, then closes every connection. */
  close(): Promise<void>;
}

/**
 * Where changes are written down, in their transactions. Each has a number, which is in use from {@link ChangeLog.begin} until
 * {@link ChangeLog.end}.
 */
export interface ChangeLog {
  /** Takes the next number. */
  begin(): number;
  /** Writes what changed, as the last statement of its transaction. */
  write(tx: Transaction, number: number, changes: readonly object[]): Promise<void>;
  /** How the transaction ended: `unknown` when the answer to its commit was lost. */
  end(number: number, how: 'committed' | 'rolled back' | 'unknown', changes: readonly object[]): void;
}

/** Connections that are open, and what one kind of database does with them. */
export interface OpenedDatabase {
  dialect: Dialect;
  /** Transactions that failed for reasons of timing are run again, however long they took. */
  isPatient?: boolean | undefined;
  transact: RunTransaction;
  snapshot: ReadSnapshot;
  longReads: AttachedReads;
  useSlot?: (slot: number) => void;
  reader: DataSource;
  isDamaged: () => Promise<boolean>;
  /** Receives each error of a transaction. */
  onFailed?: (error: unknown) => void;
  close: () => Promise<void>;
}

/**
 * Puts the rules above in front of open connections: `transact` for transactions, `reader` for everything else.
 *
 * @param onCommitted is given what transactions report (`Transaction.toReport`) once they are committed
 */
export function createDatabase(
  {
    dialect,
    isPatient,
    transact,
    snapshot,
    longReads,
    useSlot = () => undefined,
    reader,
    isDamaged,
    onFailed = () => undefined,
    close,
  }: OpenedDatabase,
  observer: DatabaseObserver = UNOBSERVED.database,
  tracing: Tracing = NO_TRACING,
  onCommitted?: (reported: object) => void,
): Database {
  const inTransaction = new AsyncLocalStorage<true>();
  let log: ChangeLog | undefined;
  const inTurn = pLimit(dialect.name === 'sqlite' ? 1 : Number.POSITIVE_INFINITY);

  const run = async <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> => {
    const startedAt = performance.now();
    let current: Transaction | undefined;
    let number: number | undefined;
    let isWorkDone = false;
    const noting = async (tx: Transaction) => {
      current = tx;
      const result = await work(tx);
      if (log && tx.changes.length > 0) {
        number = log.begin();
        await log.write(tx, number, tx.changes);
      }
      isWorkDone = true;
      return result;
    };
    try {
      const result = await tracing.step('database transaction', { 'db.system.name': dialect.name }, () =>
        inTransaction.run(true, () => transact(noting, options)),
      );
      if (onCommitted) for (const reported of current?.toReport ?? []) onCommitted(reported);
      if (log && number !== undefined) log.end(number, 'committed', current?.changes ?? []);
      return result;
    } catch (error) {
      // The embedded database has no answers that get lost.
      const isUnknown = isWorkDone && dialect.name === 'mysql' && dialect.isUnavailable(error);
      if (log && number !== undefined) log.end(number, isUnknown ? 'unknown' : 'rolled back', current?.changes ?? []);
      throw error;
    } finally {
      observer.ran((performance.now() - startedAt) / 1000);
    }
  };

  const attempt = async <T>(
    work: (tx: Transaction) => Promise<T>,
    options: TransactionOptions | undefined,
    attempts = 1,
    since = performance.now(),
  ): Promise<T> => {
    try {
      const result = await inTurn(() => run(work, options));
      renewPatience();
      return result;
    } catch (error) {
      onFailed(error);
      const isInTime = isPatient
        ? errorCode(error) !== 'ER_LOCK_WAIT_TIMEOUT'
        : performance.now() - since < RETRY_WITHIN_MS;
      const mayRetry = attempts < MAX_ATTEMPTS && isInTime;
      const isRetried = mayRetry && dialect.isRetryable(error);
      const kind = isRetried ? 'retried' : errorKind(dialect, error);
      if (kind) observer.failed(kind);
      if (!isRetried) throw error;
      await wait(Math.random() * PAUSE_MS * 2 ** (attempts - 1));
      return attempt(work, options, attempts + 1, since);
    }
  };

  return {
    dialect,
    reads: reader.manager,
    longReads,
    transaction(work, options) {
      if (inTransaction.getStore()) throw new Error('A transaction was started inside another one.');
      return attempt(work, options);
    },
    snapshot,
    useSlot,
    follow(followed) {
      log = followed;
    },
    waiting: () => inTurn.pendingCount,
    async check() {
      try {
        await reader.query('SELECT 1');
      } catch {
        return 'unreachable';
      }
      return (await isDamaged()) ? 'damaged' : 'ready';
    },
    close: () => inTurn(close),
  };
}

/** What an error says of the database: nothing when it is the work's own error, or a key that exists already. */
function errorKind(dialect: Dialect, error: unknown): DatabaseError | undefined {
  if (dialect.isUnavailable(error)) return 'unavailable';
  return errorCode(error) === '' || dialect.isDuplicate(error) ? undefined : 'other';
}
