import { AsyncLocalStorage } from 'node:async_hooks';
import pLimit from 'p-limit';
import type { DataSource, EntityManager } from 'typeorm';
import type { Dialect } from './dialect.ts';

/** How often a transaction that met a deadlock or a lock timeout is run before its error is told. */
const MAX_ATTEMPTS = 3;

/** The one way to stored data. */
export interface Database {
  readonly dialect: Dialect;
  /** For reading outside a transaction. On SQLite this is a connection of its own that cannot write. */
  readonly reads: EntityManager;
  /**
   * Runs `work` in one transaction: all of it is stored, or none. `work` may run again when the database asks for it,
   * so it does nothing but read and write through `tx`; events are published after this returns.
   *
   * On SQLite transactions run one after the other: its single connection would nest concurrent ones as savepoints of
   * each other, and one request's rollback would undo another's answered write. Nesting calls is therefore an error.
   */
  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T>;
  /** True when the database answers. */
  isReachable(): Promise<boolean>;
  /** Waits for running transactions, then closes every connection. */
  close(): Promise<void>;
}

/** Puts the rules above in front of open data sources: `writer` for transactions, `reader` for everything else. */
export function createDatabase(sources: { writer: DataSource; reader: DataSource; dialect: Dialect }): Database {
  const { writer, reader, dialect } = sources;
  const inTransaction = new AsyncLocalStorage<true>();
  const inTurn = pLimit(dialect.name === 'sqlite' ? 1 : Number.POSITIVE_INFINITY);

  const attempt = async <T>(work: (tx: EntityManager) => Promise<T>, attempts: number): Promise<T> => {
    try {
      return await inTurn(() => inTransaction.run(true, () => writer.transaction(work)));
    } catch (error) {
      if (attempts >= MAX_ATTEMPTS || !dialect.isRetryable(error)) throw error;
      return attempt(work, attempts + 1);
    }
  };

  return {
    dialect,
    reads: reader.manager,
    transaction(work) {
      if (inTransaction.getStore()) throw new Error('A transaction was started inside another one.');
      return attempt(work, 1);
    },
    async isReachable() {
      try {
        await reader.query('SELECT 1');
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      await inTurn(async () => {
        if (reader !== writer) await reader.destroy();
        await writer.destroy();
      });
    },
  };
}
