import { marksOf } from '#backend/platform/database/conditions.ts';
import { addRuleHits } from '#backend/alerts/insight/rule-hits.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import { isClaimed } from './claim-messages.ts';
import { GROUP_KEY, LADDERS_KEY, type NewMessage, type StoredMessage, readContent } from './message-entity.ts';
import { withAlert } from './present-alerts.ts';

const COLUMNS = [
  'id',
  'destination_id',
  'alert_id',
  'event',
  'event_key',
  'state',
  'content',
  'attempts',
  'next_at',
  'claimed_until',
  'attempt_log',
  'created_at',
  'give_up_at',
] as const;

const valuesOf = (message: StoredMessage) => [
  message.id,
  message.destinationId,
  message.alertId,
  message.event,
  message.eventKey,
  message.state,
  message.content,
  message.attempts,
  message.nextAt,
  message.claimedUntil,
  message.attemptLog,
  message.createdAt,
  message.giveUpAt,
];

const nameOf = ({ alertId, destinationId, eventKey }: Pick<StoredMessage, 'alertId' | 'destinationId' | 'eventKey'>) =>
  `${alertId} ${destinationId} ${eventKey}`;

/**
 * Stores messages, but for those that are stored: rows of the feed may be read twice. Each takes the place of those that wait
 * for the same alert and destination and say less, unless somebody is sending them.
 *
 * @returns how many are new
 */
export async function storeMessages(tx: Transaction, messages: readonly NewMessage[]): Promise<number> {
  const known = await findKnown(tx, [...new Set(messages.map(({ alertId }) => alertId))]);
  const fresh: NewMessage[] = [];
  for (const message of messages) {
    const name = nameOf(message);
    if (known.has(name)) continue;
    known.add(name);
    fresh.push(message);
  }
  await tx.runRows((rows) => insertSql('outgoing_messages', COLUMNS, rows), fresh.map(valuesOf));
  await addRuleHits(
    tx,
    fresh.flatMap(({ alertId, ruleIds }) => ruleIds.map((ruleId) => ({ alertId, ruleId }))),
  );
  for (const { id, destinationId, alertId, eventKey, createdAt } of fresh.filter(({ replaces }) => replaces)) {
    const isOfLadder = eventKey.startsWith(LADDERS_KEY);
    const replaced = isOfLadder ? `AND event_key LIKE '${LADDERS_KEY}%' ` : '';
    await tx.query(
      "DELETE FROM outgoing_messages WHERE alert_id = ? AND destination_id = ? AND state = 'waiting' AND event = 'update' " +
        `${replaced}AND id < ? AND ${IS_FREE}`,
      [alertId, destinationId, id, ...freeAt()],
    );
    await tx.query(
      "UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE alert_id = ? AND destination_id = ? " +
        `AND state = 'waiting' AND event <> 'note' AND event_key NOT LIKE '${GROUP_KEY}%' ${replaced}AND id < ? AND ${IS_FREE}`,
      [createdAt, alertId, destinationId, id, ...freeAt()],
    );
  }
  return fresh.length;
}

/** Alerts whose messages are looked up in one statement. */
const ALERTS_AT_ONCE = 200;

async function findKnown(tx: Transaction, alertIds: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let at = 0; at < alertIds.length; at += ALERTS_AT_ONCE) {
    const some = alertIds.slice(at, at + ALERTS_AT_ONCE);
    const rows: { alertId: string; destinationId: string; eventKey: string }[] = await tx.query(
      'SELECT alert_id AS alertId, destination_id AS destinationId, event_key AS eventKey FROM outgoing_messages ' +
        `WHERE alert_id IN (${marksOf(some)})`,
      some,
    );
    for (const row of rows) known.add(nameOf(row));
  }
  return known;
}

/**
 * Stores changes of live messages. Where one of the alert's messages waits, it says the new state itself; an update of its own
 * follows only what is being sent.
 */
export async function storeUpdates(tx: Transaction, updates: readonly StoredMessage[]): Promise<void> {
  for (const update of updates) {
    const [last]: { id: string; content: string; claimedUntil: unknown }[] = await tx.query(
      'SELECT id, content, claimed_until AS claimedUntil FROM outgoing_messages WHERE alert_id = ? AND destination_id = ? ' +
        // What a ladder sends is dropped when somebody accepts, with the state that it would have said.
        `AND state = 'waiting' AND event <> 'note' AND event_key NOT LIKE '${LADDERS_KEY}%' ORDER BY id DESC LIMIT 1`,
      [update.alertId, update.destinationId],
    );
    if (last && !isClaimed(Number(last.claimedUntil))) {
      await tx.query("UPDATE outgoing_messages SET content = ? WHERE id = ? AND state = 'waiting'", [
        JSON.stringify(withAlert(readContent(last), readContent(update).data.alert)),
        last.id,
      ]);
    } else {
      await tx.runRows((rows) => insertSql('outgoing_messages', COLUMNS, rows), [valuesOf(update)]);
    }
  }
}

/** Deletes what is known of alerts that are gone: nothing of them is sent any more. */
export async function deleteMessagesOf(tx: Transaction, alertIds: readonly string[]): Promise<void> {
  for (let at = 0; at < alertIds.length; at += ALERTS_AT_ONCE) {
    const some = alertIds.slice(at, at + ALERTS_AT_ONCE);
    const places = marksOf(some);
    await tx.query(`DELETE FROM outgoing_messages WHERE alert_id IN (${places})`, some);
    await tx.query(`DELETE FROM outgoing_live WHERE alert_id IN (${places})`, some);
  }
}
