import type { Database } from './database.ts';
import { pause } from './repeat.ts';
import type { Transaction } from './transaction.ts';

/** How often the database is asked what became of a commit, in milliseconds, until it answers. */
const ASK_MS = 500;

/**
 * Runs a transaction of a background job, and finds out whether it was stored when the database's answer to the commit is
 * lost: after it, what was done is reported, which nobody would do if it were taken for failed and found done the next time.
 *
 * @param isStored reads by locks whether what `work` returned is stored. A commit that still runs is waited for by them.
 * @param stopping ends the attempts to ask
 * @throws {unknown} the transaction's error when it is not stored, or nobody could say
 */
export async function transactKnowingly<T>(
  database: Pick<Database, 'dialect' | 'transaction'>,
  work: (tx: Transaction) => Promise<T>,
  isStored: (tx: Transaction, result: T) => Promise<boolean>,
  stopping: AbortSignal,
): Promise<T> {
  let reached: { result: T } | undefined;
  try {
    return await database.transaction(async (tx) => {
      reached = undefined;
      const result = await work(tx);
      reached = { result };
      return result;
    });
  } catch (error) {
    // The embedded database has no answers that get lost.
    if (!reached || database.dialect.name === 'sqlite' || !database.dialect.isUnavailable(error)) throw error;
    const { result } = reached;
    while (!stopping.aborted) {
      try {
        if (await database.transaction((tx) => isStored(tx, result))) return result;
        break;
      } catch (lost) {
        if (!database.dialect.isUnavailable(lost)) throw error;
        await pause(ASK_MS, stopping);
      }
    }
    throw error;
  }
}
