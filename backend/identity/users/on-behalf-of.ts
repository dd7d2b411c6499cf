import type { Database } from '#backend/platform/database/database.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';

/** What changes data needs of the database. */
export type WritableDatabase = Pick<Database, 'dialect' | 'reads' | 'transaction'>;

/** How long the id of an API token is, a UUID; a session's is a hash of 64 digits. */
const TOKEN_ID_LENGTH = 36;

/** Where the row stands without which a session or an API token lets nobody in. */
export const credentialTable = (sessionId: string): 'api_tokens' | 'sessions' =>
  sessionId.length === TOKEN_ID_LENGTH ? 'api_tokens' : 'sessions';

/**
 * The database as a member changes it: every transaction first reads the row of the session or API token that asks, with a
 * shared lock, and ends with 401 when it is gone. Whatever revokes access (sign-out, disabling, a password reset, a
 * new role) deletes that row. So a revocation that commits first refuses the change, and one that comes later waits
 * for it; a request that was authenticated long ago makes no difference. Every write on behalf of a member goes
 * through this.
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
        const sql = `SELECT id FROM ${credentialTable(sessionId)} WHERE id = ?${tx.dialect.forShare}`;
        const rows: unknown[] = await tx.query(sql, [sessionId]);
        if (rows.length === 0) throw notSignedIn();
        return work(tx);
      }),
  };
}
