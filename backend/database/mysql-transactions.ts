import type { PoolConnection, ResultSetHeader } from 'mysql2';
import type { DataSource } from 'typeorm';
import type { RunTransaction } from './database.ts';
import { TransactionStateError } from './dialect.ts';

/** Bit of the status that comes with every answer of the server (SERVER_STATUS_IN_TRANS of its protocol). */
const IN_TRANSACTION = 1;

/** Runs BEGIN, COMMIT or ROLLBACK. Returns whether the server says that a transaction is open after it. */
async function isOpenAfter(connection: PoolConnection, statement: string): Promise<boolean> {
  const [{ serverStatus }] = await connection.promise().query<ResultSetHeader>(statement);
  return (serverStatus & IN_TRANSACTION) !== 0;
}

/**
 * Transactions on MySQL, each on a connection of its own. A connection goes back to the pool only when the server has
 * said that no transaction is open on it. Any other is closed, and the server rolls back what was open: after an error
 * without an answer nobody knows its state.
 */
export const mysqlTransactions =
  (source: DataSource): RunTransaction =>
  async (work) => {
    const runner = source.createQueryRunner();
    const connection = (await runner.connect()) as PoolConnection;
    let mayBeOpen = true;
    try {
      if (!(await isOpenAfter(connection, 'START TRANSACTION'))) {
        throw new TransactionStateError('The database did not begin a transaction.');
      }
      // TypeORM's locking reads and `save()` look here.
      Object.assign(runner, { isTransactionActive: true });
      const result = await work(runner.manager);
      mayBeOpen = await isOpenAfter(connection, 'COMMIT');
      if (mayBeOpen) throw new TransactionStateError('The commit left the transaction open.');
      return result;
    } catch (error) {
      // The first error says more. Without an answer the connection is closed below.
      if (mayBeOpen) mayBeOpen = await isOpenAfter(connection, 'ROLLBACK').catch(() => true);
      throw error;
    } finally {
      if (mayBeOpen) connection.destroy();
      await runner.release();
    }
  };
