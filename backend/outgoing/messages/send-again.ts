import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { type OutgoingAdministrator, noSuchDestination } from '#backend/outgoing/destinations/destination-commands.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { GIVE_UP_MS, MessageEntity } from './message-entity.ts';

/** Messages that one call sends again at most. */
const MAX_AGAIN = 5_000;

/** Rows of one statement. */
const ROWS_AT_ONCE = 500;

/** Has messages that are finished sent again, for another day. What is changed in place says what its alert is by then. */
export async function setWaiting(tx: Transaction, ids: readonly string[]): Promise<void> {
  const now = Date.now();
  for (let at = 0; at < ids.length; at += ROWS_AT_ONCE) {
    const some = ids.slice(at, at + ROWS_AT_ONCE);
    await tx.query(
      "UPDATE outgoing_messages SET state = 'waiting', next_at = ?, give_up_at = ?, claimed_until = 0, finished_at = NULL " +
        `WHERE id IN (${some.map(() => '?').join(', ')}) AND state <> 'waiting'`,
      [now, now + GIVE_UP_MS, ...some],
    );
  }
}

/**
 * Sends one message again, with the same id, for another day.
 *
 * @throws {ProblemError} 404, or 409 while it waits anyway
 */
export async function sendAgain(database: Database, by: OutgoingAdministrator, id: string): Promise<void> {
  await onBehalfOf(database, by.author).transaction(async (tx) => {
    const [message] = await tx.lockRows(MessageEntity, { id });
    if (!message) throw notFound('There is no message with this id.');
    if (message.state === 'waiting') throw conflict('The message is waiting to be sent already.');
    await setWaiting(tx, [id]);
    announce(tx, { type: 'outgoing_changed' });
    const destination = await tx.getRepository(DestinationEntity).findOneBy({ id: message.destinationId });
    await addAudit(tx, by.author, 'messages_sent_again', destination?.name ?? null, { detail: '1 message' });
  });
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
    const [destination] = await tx.lockRows(DestinationEntity, { id: destinationId });
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
