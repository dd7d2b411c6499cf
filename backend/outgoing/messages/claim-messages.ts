import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import { isAhead, latestFrom } from '#backend/platform/database/ahead.ts';
import { CLAIM_MS, IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import { LONGEST_WAIT_MS } from '#backend/outgoing/destinations/backoff.ts';
import { IS_OF_DISABLED } from '#backend/outgoing/destinations/open-target.ts';
import { SETTLING } from '#backend/outgoing/destinations/deliver-ticket.ts';
import { type StoredMessage, readAttempts } from './message-entity.ts';

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
  /** When an attempt ended, or was broken off, that may have done something whose answer nobody knows; null where none did. */
  triedAt: number | null;
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

/** Whether somebody is sending a message, as {@link IS_FREE} says. */
export const isClaimed = (claimedUntil: number): boolean => isAhead(claimedUntil, Date.now(), CLAIM_MS);

/** Whose time has come, or is further ahead than any is, because the clock was set back; and that nobody is sending. */
const IS_DUE = `(m.next_at <= ? OR m.next_at > ?) AND ${IS_FREE}`;
const dueAt = (now: number): number[] => [now, latestFrom(now, LONGEST_WAIT_MS), ...freeAt(now)];

/** The messages that a destination is to be sent now: of each alert the first that waits, in their order. */
async function findDue(
  { reads }: Database,
  destinationId: string,
  queue: Queue,
  now: number,
  limit: number,
): Promise<(DueMessage & { claimedUntil: number })[]> {
  const rows: (Record<'id' | 'eventKey', string> & Record<'claimedUntil' | 'createdAt' | 'giveUpAt', unknown>)[] =
    await reads.query(
      'SELECT m.id AS id, m.event_key AS eventKey, m.claimed_until AS claimedUntil, m.created_at AS createdAt, ' +
        `m.give_up_at AS giveUpAt FROM outgoing_messages m WHERE m.destination_id = ? AND m.state = 'waiting' ${QUEUES[queue]}` +
        `AND ${IS_DUE} AND NOT EXISTS (SELECT 1 FROM outgoing_messages e ` +
        "WHERE e.alert_id = m.alert_id AND e.destination_id = m.destination_id AND e.state = 'waiting' AND e.id < m.id) " +
        `ORDER BY m.id LIMIT ${limit}`,
      [destinationId, ...dueAt(now)],
    );
  return rows.map(({ id, eventKey, claimedUntil, createdAt, giveUpAt }) => ({
    id,
    eventKey,
    claimedUntil: Number(claimedUntil),
    createdAt: Number(createdAt),
    giveUpAt: Number(giveUpAt),
  }));
}

/** A message that is to be sent now. */
export type DueMessage = Pick<StoredMessage, 'id' | 'eventKey' | 'createdAt' | 'giveUpAt'>;

/** What ladders do with their messages. */
export interface LadderMessages {
  /** Drops what is not to be sent any more of what is due, because somebody took its alert. */
  dropTaken(tx: Transaction, due: readonly DueMessage[], now: number): Promise<void>;
}

/**
 * Claims the next messages of a destination. The claim is stored before anything is sent: whoever leads next leaves them alone
 * until it ends.
 */
export async function claimDue(
  { database, ladders }: { database: Database; ladders: LadderMessages },
  { id: destinationId, queue }: { id: string; queue: Queue },
  limit: number,
  now: number = Date.now(),
): Promise<ClaimedMessage[]> {
  const due = await findDue(database, destinationId, queue, now, limit);
  const ids = due.map(({ id }) => id);
  if (ids.length === 0) return [];
  const brokenOff = new Map(due.map(({ id, claimedUntil }) => [id, claimedUntil]));
  const places = marksOf(ids);
  return database.transaction(async (tx) => {
    await ladders.dropTaken(tx, due, now);
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
        triedAt: triedAtOf(brokenOff.get(id) ?? 0, attemptLog, now),
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

/** A claim that nobody ended is one whose server was killed: it was done with by then. */
function triedAtOf(claimedUntil: number, attemptLog: string, now: number): number | null {
  // By a clock that was set back since it may be in the future.
  if (claimedUntil > 0) return Math.min(claimedUntil, now);
  // A refusal is an answer: nothing came of it.
  const last = readAttempts({ attemptLog }).findLast(
    ({ answer }) => !/^[34]\d\d\b/.test(answer) && answer !== SETTLING,
  );
  return last === undefined ? null : Math.min(Date.parse(last.at), now);
}

/** A destination for which messages wait, and whether one of them could be sent now. */
export type WaitingDestination = Pick<StoredDestination, 'id' | 'kind'> & { isDue: boolean };

/** The destinations for which messages wait, but for those that are paused, and channels of disabled members. */
export async function findWaiting({ reads }: Database, now: number): Promise<WaitingDestination[]> {
  const rows: { id: string; kind: StoredDestination['kind']; due: unknown }[] = await reads.query(
    'SELECT d.id AS id, d.kind AS kind, CASE WHEN (d.retry_at IS NULL OR d.retry_at <= ? OR d.retry_at > ?) ' +
      "AND EXISTS (SELECT 1 FROM outgoing_messages m WHERE m.destination_id = d.id AND m.state = 'waiting' " +
      `AND ${IS_DUE}) THEN 1 ELSE 0 END AS due FROM outgoing_destinations d ` +
      `WHERE d.paused_at IS NULL AND NOT ${IS_OF_DISABLED} AND EXISTS (SELECT 1 FROM outgoing_messages w ` +
      "WHERE w.destination_id = d.id AND w.state = 'waiting')",
    [now, latestFrom(now, LONGEST_WAIT_MS), ...dueAt(now)],
  );
  return rows.map(({ id, kind, due }) => ({ id, kind, isDue: Number(due) === 1 }));
}

/** Lets go of what was claimed and not sent. What was broken off before stays known as that. */
export async function release(
  tx: Transaction,
  messages: readonly Pick<ClaimedMessage, 'id' | 'triedAt'>[],
): Promise<void> {
  for (const [triedAt, some] of Map.groupBy(messages, (message) => message.triedAt ?? 0)) {
    const ids = some.map(({ id }) => id);
    await tx.query(
      `UPDATE outgoing_messages SET claimed_until = ?, attempts = attempts - 1 WHERE id IN (${marksOf(ids)}) AND state = 'waiting'`,
      [triedAt, ...ids],
    );
  }
}

/** Lets go of what was being sent as the server was stopped: it may have been done. */
export async function breakOff(tx: Transaction, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(`UPDATE outgoing_messages SET claimed_until = ? WHERE id IN (${marksOf(ids)}) AND state = 'waiting'`, [
    now,
    ...ids,
  ]);
}

/** Messages of a destination among which claims are released. What is claimed is the first that waits. */
const RELEASED = 500;

/** Releases what is claimed, of messages and of silences, where whoever claimed it has ended. */
export async function releaseAll({ reads, transaction }: Pick<Database, 'reads' | 'transaction'>): Promise<void> {
  const destinations: { id: string }[] = await reads.query('SELECT id FROM outgoing_destinations');
  const claimed: { id: string; until: number }[] = [];
  for (const { id } of destinations) {
    const rows: { id: string; claimedUntil: unknown }[] = await reads.query(
      "SELECT id, claimed_until AS claimedUntil FROM outgoing_messages WHERE destination_id = ? AND state = 'waiting' " +
        `ORDER BY id LIMIT ${RELEASED}`,
      [id],
    );
    claimed.push(
      ...rows.map((row) => ({ id: row.id, until: Number(row.claimedUntil) })).filter(({ until }) => until > 0),
    );
  }
  await transaction(async (tx) => {
    const now = Date.now();
    // They were attempted, whatever came of it: the count of attempts stays, and so does that a claim was broken off.
    for (const { id, until } of claimed) {
      await tx.query('UPDATE outgoing_messages SET claimed_until = ? WHERE id = ?', [Math.min(until, now), id]);
    }
    await tx.query('UPDATE silences SET claimed_until = 0 WHERE claimed_until > 0');
  });
}
