import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
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
> & {
  /** What the service calls the alert's live message; null where there is none. */
  remote: string | null;
  /** It was tried before. */
  isRepeat: boolean;
  /** It, or one before it of the same alert whose end is not known, may have posted the alert's message. */
  mayBeThere: boolean;
};

/**
 * What a destination's messages are sent by: services that change messages in place limit changes and posts apart, so neither
 * waits for the other. `all` where nothing is changed.
 */
export type Queue = 'all' | 'posts' | 'changes';

/** Changes a message that is there, and posts nothing. */
const IS_CHANGE =
  "(m.event IN ('accepted', 'completed', 'update') AND EXISTS (SELECT 1 FROM outgoing_live l " +
  'WHERE l.destination_id = m.destination_id AND l.alert_id = m.alert_id))';

const QUEUES: Record<Queue, string> = { all: '', posts: `AND NOT ${IS_CHANGE} `, changes: `AND ${IS_CHANGE} ` };

/** Ids of the messages that a destination is to be sent now: of each alert the first that waits, in their order. */
async function findDue(
  { reads }: Database,
  destinationId: string,
  queue: Queue,
  now: number,
  limit: number,
): Promise<string[]> {
  const rows: { id: string }[] = await reads.query(
    `SELECT m.id AS id FROM outgoing_messages m WHERE m.destination_id = ? AND m.state = 'waiting' ${QUEUES[queue]}` +
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
  { id: destinationId, queue }: { id: string; queue: Queue },
  limit: number,
  now: number = Date.now(),
): Promise<ClaimedMessage[]> {
  const ids = await findDue(database, destinationId, queue, now, limit);
  if (ids.length === 0) return [];
  const places = ids.map(() => '?').join(', ');
  return database.transaction(async (tx) => {
    await tx.query(
      `UPDATE outgoing_messages SET claimed_until = ?, attempts = attempts + 1 WHERE id IN (${places}) AND state = 'waiting'`,
      [now + CLAIM_MS, ...ids],
    );
    const rows: (Record<keyof ClaimedMessage, string> & { triedBefore: unknown })[] = await tx.query(
      'SELECT m.id AS id, m.alert_id AS alertId, m.event AS event, m.content AS content, m.attempts AS attempts, ' +
        'm.attempt_log AS attemptLog, m.give_up_at AS giveUpAt, m.created_at AS createdAt, l.remote AS remote, ' +
        `(SELECT COUNT(*) FROM outgoing_messages e WHERE e.alert_id = m.alert_id AND e.destination_id = m.destination_id ` +
        "AND e.id < m.id AND e.attempts > 0 AND e.state <> 'sent') AS triedBefore FROM outgoing_messages m LEFT JOIN outgoing_live l " +
        'ON l.destination_id = m.destination_id AND l.alert_id = m.alert_id ' +
        `WHERE m.id IN (${places}) AND m.state = 'waiting' ORDER BY m.id`,
      ids,
    );
    // MySQL's driver hands whole numbers of 64 bits over as text.
    return rows.map(
      ({ id, alertId, remote, triedBefore, event, content, attempts, attemptLog, giveUpAt, createdAt }) => ({
        id,
        alertId,
        remote,
        isRepeat: Number(attempts) > 1,
        mayBeThere: Number(attempts) > 1 || Number(triedBefore) > 0,
        event: event as StoredMessage['event'],
        content,
        attempts: Number(attempts),
        attemptLog,
        giveUpAt: Number(giveUpAt),
        createdAt: Number(createdAt),
      }),
    );
  });
}

/** A destination for which messages wait, and whether one of them could be sent now. */
export type WaitingDestination = Pick<StoredDestination, 'id' | 'kind'> & { isDue: boolean };

/** The destinations for which messages wait, but for those that are paused. */
export async function findWaiting({ reads }: Database, now: number): Promise<WaitingDestination[]> {
  const rows: { id: string; kind: StoredDestination['kind']; due: unknown }[] = await reads.query(
    'SELECT d.id AS id, d.kind AS kind, CASE WHEN (d.retry_at IS NULL OR d.retry_at <= ?) ' +
      "AND EXISTS (SELECT 1 FROM outgoing_messages m WHERE m.destination_id = d.id AND m.state = 'waiting' " +
      'AND m.next_at <= ? AND m.claimed_until <= ?) THEN 1 ELSE 0 END AS due FROM outgoing_destinations d ' +
      'WHERE d.paused_at IS NULL AND EXISTS (SELECT 1 FROM outgoing_messages w ' +
      "WHERE w.destination_id = d.id AND w.state = 'waiting')",
    [now, now, now],
  );
  return rows.map(({ id, kind, due }) => ({ id, kind, isDue: Number(due) === 1 }));
}

/** Lets go of what was claimed and not sent. */
export const release = (tx: Transaction, ids: readonly string[]): Promise<unknown> =>
  tx.query(
    `UPDATE outgoing_messages SET claimed_until = 0, attempts = attempts - 1 WHERE id IN (${ids.map(() => '?').join(', ')}) ` +
      "AND state = 'waiting'",
    [...ids],
  );
