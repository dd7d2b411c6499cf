import type { Database } from '#backend/platform/database/database.ts';
import type { Dialect } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';

/** What changes data needs of the database. */
export type WritableDatabase = Pick<Database, 'dialect' | 'reads' | 'transaction'>;

/** How long the id of an API token is, a UUID; a session's is a hash of 64 digits. */
const TOKEN_ID_LENGTH = 36;

/** Where the row stands without which a session or an API token lets nobody in. */
export const credentialTable = (sessionId: string): 'api_tokens' | 'sessions' =>
  sessionId.length === TOKEN_ID_LENGTH ? 'api_tokens' : 'sessions';

/** SQL that reads the id of this row with a shared lock. @param place what stands for the id */
export const selectCredential = (sessionId: string, place: string, { forShare }: Dialect): string =>
  `SELECT id FROM ${credentialTable(sessionId)} WHERE id = ${place}${forShare}`;

/**
 * Keeps the row until the transaction ends.
 *
 * @throws {ProblemError} 401 when it is gone.
 */
export async function holdCredential(tx: Transaction, sessionId: string): Promise<void> {
  const rows: unknown[] = await tx.query(selectCredential(sessionId, '?', tx.dialect), [sessionId]);
  if (rows.length === 0) throw notSignedIn();
}

/**
 * The database as a member changes it: every transaction first reads the row of the session or API token that asks, with a
 * shared lock, and ends with 401 when it is gone. Whatever revokes access (sign-out, disabling, a password reset, a
 * new role) deletes that row. So a revocation that commits first refuses the change, and one that comes later waits
 * for it; a request that was authenticated long ago makes no difference. Every write on behalf of a member goes
 * through this, but for the change of one alert, which reads that row in the statement that locks the alert (`lockAlert`).
 *
 * @param sessionId the session's stored hash or the API token's id; null for the command line, which no session stands behind.
 */
export function onBehalfOf(database: WritableDatabase, { sessionId }: { sessionId: string | null }): WritableDatabase {
  if (sessionId === null) return database;
  const { dialect, reads } = database;
  return {
    dialect,
    reads,
    transaction: (work) =>
      database.transaction(async (tx) => {
        await holdCredential(tx, sessionId);
        return work(tx);
      }),
  };
}
