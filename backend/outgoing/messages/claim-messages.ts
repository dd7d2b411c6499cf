import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { StoredMessage } from './message-entity.ts';

/**
 * How long a claim holds, in milliseconds: longer than an attempt with its answer takes. What a server claimed that was killed
 * is sent again after it, with the same id.
 */
export const CLAIM_MS = 25_000;

/** A message that this server alone sends now. */
export type ClaimedMessage = Pick<
  StoredMessage,
  'id' | 'alertId' | 'event' | 'content' | 'attempts' | 'attemptLog' | 'giveUpAt' | 'createdAt'
>;

/** Ids of the messages that a destination is to be sent now: of each alert the first that waits, in their order. */
async function findDue({ reads }: Database, destinationId: string, now: number, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await reads.query(
    "SELECT m.id AS id FROM outgoing_messages m WHERE m.destination_id = ? AND m.state = 'waiting' " +
      'AND m.next_at <= ? AND m.claimed_until <= ? AND NOT EXISTS (SELECT 1 FROM outgoing_messages e ' +
      "WHERE e.alert_id = m.alert_id AND e.destination_id = m.destination_id AND e.state = 'waiting' AND e.id < m.id) " +
      `ORDER BY m.id LIMIT ${limit}`,
    [destinationId, now, now],
  );
  return rows.map(({ id }) => id);
}

/**
 * Claims the next messages of a destination. The claim is stored before anything is sent: whoever leads next leaves them alone
 * until it ends.
 */
export async function claimDue(
  database: Database,
  destinationId: string,
  limit: number,
  now: number = Date.now(),
): Promise<ClaimedMessage[]> {
  const ids = await findDue(database, destinationId, now, limit);
  if (ids.length === 0) return [];
  const places = ids.map(() => '?').join(', ');
  return database.transaction(async (tx) => {
    await tx.query(
      `UPDATE outgoing_messages SET claimed_until = ?, attempts = attempts + 1 WHERE id IN (${places}) AND state = 'waiting'`,
      [now + CLAIM_MS, ...ids],
    );
    const rows: Record<keyof ClaimedMessage, string>[] = await tx.query(
      'SELECT id, alert_id AS alertId, event, content, attempts, attempt_log AS attemptLog, give_up_at AS giveUpAt, ' +
        `created_at AS createdAt FROM outgoing_messages WHERE id IN (${places}) AND state = 'waiting' ORDER BY id`,
      ids,
    );
    // MySQL's driver hands whole numbers of 64 bits over as text.
    return rows.map(({ id, alertId, event, content, attempts, attemptLog, giveUpAt, createdAt }) => ({
      id,
      alertId,
      event: event as StoredMessage['event'],
      content,
      attempts: Number(attempts),
      attemptLog,
      giveUpAt: Number(giveUpAt),
      createdAt: Number(createdAt),
    }));
  });
}

/** Which destinations have a message that could be sent now. */
export async function findDestinationsDue({ reads }: Database, now: number): Promise<string[]> {
  const rows: { id: string }[] = await reads.query(
    'SELECT d.id AS id FROM outgoing_destinations d WHERE d.paused_at IS NULL AND (d.retry_at IS NULL OR d.retry_at <= ?) ' +
      "AND EXISTS (SELECT 1 FROM outgoing_messages m WHERE m.destination_id = d.id AND m.state = 'waiting' " +
      'AND m.next_at <= ? AND m.claimed_until <= ?)',
    [now, now, now],
  );
  return rows.map(({ id }) => id);
}

/** Lets go of what was claimed and not sent. */
export const release = (tx: Transaction, ids: readonly string[]): Promise<unknown> =>
  tx.query(
    `UPDATE outgoing_messages SET claimed_until = 0, attempts = attempts - 1 WHERE id IN (${ids.map(() => '?').join(', ')}) ` +
      "AND state = 'waiting'",
    [...ids],
  );
