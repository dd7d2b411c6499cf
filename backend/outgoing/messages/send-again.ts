import { marksOf } from '#backend/platform/database/conditions.ts';
import { IsNull } from 'typeorm';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { type OutgoingAdministrator, noSuchDestination } from '#backend/outgoing/destinations/destination-commands.ts';
import { isOwnPause, isWaiting } from '#backend/outgoing/destinations/backoff.ts';
import { DestinationEntity, type StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { formatUtc } from '#backend/platform/mail/mail-texts.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { isClaimed } from './claim-messages.ts';
import { GIVE_UP_MS, MessageEntity, type StoredMessage } from './message-entity.ts';

/** Messages that one call sends again at most. */
const MAX_AGAIN = 5_000;

/** Rows of one statement. */
const ROWS_AT_ONCE = 500;

/** For so long after a message was sent again, pages may still show it as it was before, in milliseconds. */
const SEEN_AFTER_MS = 10_000;

/** Of destinations those that administrators set up: members' own channels are nobody else's. */
const OF_ALL = { ownerId: IsNull() };

/** Has messages that are finished sent again, for another day. What is changed in place says what its alert is by then. */
export async function setWaiting(tx: Transaction, ids: readonly string[]): Promise<void> {
  const now = Date.now();
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE);
    await tx.query(
      "UPDATE outgoing_messages SET state = 'waiting', next_at = ?, give_up_at = ?, claimed_until = 0, finished_at = NULL " +
        `WHERE id IN (${marksOf(some)}) AND state <> 'waiting'`,
      [now, now + GIVE_UP_MS, ...some],
    );
  }
}

/** Whether it was sent at another attempt a moment ago, of which who asks for one does not know yet. */
const isSentJustNow = ({ state, attempts, finishedAt }: StoredMessage): boolean =>
  state === 'sent' && attempts > 1 && Math.abs(Date.now() - (finishedAt ?? 0)) < SEEN_AFTER_MS;

/**
 * Sends one message again, with the same id, for another day. What failed and waits for its next attempt has that at once, as
 * far as its destination takes messages: a pause of ours after failures ends.
 *
 * @throws {ProblemError} 404, or 409 while it is sent anyway or was a moment ago, or its destination is paused or has asked to wait
 */
export async function sendAgain(database: Database, by: OutgoingAdministrator, id: string): Promise<void> {
  await onBehalfOf(database, by.author).transaction(async (tx) => {
    const known = await tx.getRepository(MessageEntity).findOneBy({ id });
    // First, as whoever sends everything again does.
    const [destination] = known ? await tx.lockRows(DestinationEntity, { id: known.destinationId, ...OF_ALL }) : [];
    const [message] = await tx.lockRows(MessageEntity, { id });
    if (!message || !destination) throw notFound('There is no message with this id.');
    if (isSentJustNow(message)) throw conflict('The message was sent again a moment ago.');
    if (message.state !== 'waiting') await setWaiting(tx, [id]);
    else if (isClaimed(message.claimedUntil)) throw conflict('The message is being sent already.');
    else {
      await endPause(tx, destination);
      await tx.getRepository(MessageEntity).update({ id }, { nextAt: Date.now() });
    }
    announce(tx, { type: 'outgoing_changed' });
    await addAudit(tx, by.author, 'messages_sent_again', destination.name, { detail: '1 message' });
  });
}

/** Has a destination sent to at once. @throws {ProblemError} 409 where that is not ours to decide */
async function endPause(tx: Transaction, { id, pausedAt, retryAt }: StoredDestination): Promise<void> {
  if (pausedAt !== null) throw conflict('The destination is paused. Resume it first.');
  const now = Date.now();
  if (!isWaiting(retryAt, now)) return;
  if (!isOwnPause(retryAt, now))
    throw conflict(`The service asked to wait until ${formatUtc(retryAt)}. The message is sent then.`);
  await tx.getRepository(DestinationEntity).update({ id }, { retryAt: null });
}

/**
 * Sends again what was not delivered to a destination, 5,000 messages at most.
 *
 * @param onlyOpen leaves out what is about alerts that are completed by now
 * @returns how many wait now
 * @throws {ProblemError} 404
 */
export async function sendAllAgain(
  database: Database,
  by: OutgoingAdministrator,
  { destinationId, onlyOpen }: { destinationId: string; onlyOpen: boolean },
): Promise<number> {
  return onBehalfOf(database, by.author).transaction(async (tx) => {
    const [destination] = await tx.lockRows(DestinationEntity, { id: destinationId, ...OF_ALL });
    if (!destination) throw noSuchDestination();
    const rows: { id: string }[] = await tx.query(
      'SELECT m.id AS id FROM outgoing_messages m JOIN alerts a ON a.id = m.alert_id ' +
        `WHERE m.destination_id = ? AND m.state = 'not-delivered'${onlyOpen ? " AND a.status <> 'completed'" : ''} ` +
        `ORDER BY m.id LIMIT ${MAX_AGAIN}`,
      [destinationId],
    );
    if (rows.length === 0) return 0;
    await setWaiting(
      tx,
      rows.map(({ id }) => id),
    );
    announce(tx, { type: 'outgoing_changed' });
    await addAudit(tx, by.author, 'messages_sent_again', destination.name, { detail: `${rows.length} messages` });
    return rows.length;
  });
}
