import { marksOf } from '#backend/platform/database/conditions.ts';
import { MAX_SESSIONS } from '#backend/contract/account.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { SESSION_LIFETIME_MS } from './session-rules.ts';

/** Sessions that one sign-in ends at most: releases before have kept any number, and nobody waits for long. */
const MAX_ENDED = 500;

/**
 * Makes room for one more session of a member, whose row is locked: ends those that are too many, first those that were
 * not used after their sign-in, then those used least recently. A program that signs in again and again leaves no more
 * than that behind, and does not sign out the person whose account it uses.
 *
 * @param notedBefore uses of sessions are noted that began before this moment: a later one may be in use
 */
export async function endSurplusSessions(tx: Transaction, userId: string, notedBefore: number): Promise<void> {
  const [row]: { count: unknown }[] = await tx.query('SELECT COUNT(*) AS count FROM sessions WHERE user_id = ?', [
    userId,
  ]);
  const surplus = Math.min(Number(row?.count) - MAX_SESSIONS + 1, MAX_ENDED);
  if (surplus <= 0) return;
  const oldest: { id: string }[] = await tx.query(
    'SELECT id FROM sessions WHERE user_id = ? ' +
      'ORDER BY CASE WHEN last_seen_at = created_at AND created_at < ? THEN 0 ELSE 1 END, last_seen_at, id ' +
      `LIMIT ${surplus}`,
    [userId, notedBefore],
  );
  const ids = oldest.map(({ id }) => id);
  await tx.query(`DELETE FROM sessions WHERE id IN (${marksOf(ids)})`, ids);
  for (const sessionId of ids) announce(tx, { type: 'session_ended', sessionId });
}

/** How often sessions that nobody used for long are looked for, in milliseconds. */
export const SESSION_PRUNE_MS = 60 * 60 * 1000;

/** Deletes sessions that nobody has used for their lifetime. They let nobody in already. @param now see `SteadyClock` */
export const pruneSessions = (
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  stopping: AbortSignal,
  now: number,
) =>
  prune(
    database,
    { table: 'sessions', column: 'last_seen_at', index: 'sessions_last_seen' },
    now - SESSION_LIFETIME_MS,
    stopping,
  );
