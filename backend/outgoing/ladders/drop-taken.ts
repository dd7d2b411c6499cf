import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { DueMessage } from '#backend/outgoing/messages/claim-messages.ts';
import { GROUP_KEY, LADDER_KEY, sentAgainAt } from '#backend/outgoing/messages/message-entity.ts';
import { gatherAgain } from './gather-calls.ts';
import { NOT_TAKEN } from './ladder-entities.ts';

/**
 * Drops what ladders send of alerts that somebody has taken since, also where an attempt of before that failed. Of a message about
 * several alerts the others are gathered again, so that it speaks of the rest. What somebody sends again after that is sent.
 */
export async function dropTaken(tx: Transaction, due: readonly DueMessage[], now: number): Promise<void> {
  const ofOne = due.flatMap((message) =>
    message.eventKey.startsWith(LADDER_KEY)
      ? [{ message, runId: message.eventKey.slice(LADDER_KEY.length).split(':', 1).join('') }]
      : [],
  );
  const ends = await findEnds(tx, [...new Set(ofOne.map(({ runId }) => runId))]);
  const taken = ofOne
    .filter(({ message, runId }) => isTakenSince(message, ends.get(runId)))
    .map(({ message }) => message.id);
  if (taken.length > 0) {
    await tx.query(
      `UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE id IN (${marksOf(taken)}) AND state = 'waiting'`,
      [now, ...taken],
    );
  }
  const groups = due.filter(({ eventKey }) => eventKey.startsWith(GROUP_KEY));
  await gatherAgain(tx, await findSmaller(tx, groups), now);
}

/** Whether the alert of a ladder is taken, and was after somebody sent the ladder's message again. */
function isTakenSince(message: DueMessage, end: End | undefined): boolean {
  if (end?.isTaken === false) return false;
  const again = sentAgainAt(message);
  return again === undefined || (end !== undefined && end.at > again);
}

/** Whether the alert of a ladder is taken, and when it was; `Infinity` where the ladder has not ended: that was just now. */
interface End {
  isTaken: boolean;
  at: number;
}

/**
 * SQL: when somebody last took an alert `a`, or it was completed. A ladder that ended because nobody took its alert is not ended
 * again by whoever does that later.
 */
const TAKEN_AT =
  '(SELECT MAX(h.created_at) FROM alert_history h WHERE h.alert_id = a.id AND ' +
  "(h.action IN ('accepted', 'snoozed') OR (h.action = 'assigned' AND h.previous_status = 'pending') " +
  "OR h.new_status = 'completed'))";

/** How ladders ended, by their ids, as far as there are any. */
async function findEnds(tx: Transaction, runIds: readonly string[]): Promise<ReadonlyMap<string, End>> {
  if (runIds.length === 0) return new Map();
  const rows: { id: string; isWaiting: unknown; endedAt: unknown; takenAt: unknown }[] = await tx.query(
    `SELECT r.id AS id, CASE WHEN ${NOT_TAKEN} THEN 1 ELSE 0 END AS isWaiting, r.ended_at AS endedAt, ${TAKEN_AT} AS takenAt ` +
      `FROM ladder_runs r JOIN alerts a ON a.id = r.alert_id WHERE r.id IN (${marksOf(runIds)})`,
    [...runIds],
  );
  return new Map(
    rows.map(({ id, isWaiting, endedAt, takenAt }) => [
      id,
      {
        isTaken: Number(isWaiting) === 0,
        at: endedAt === null ? Infinity : Math.max(Number(endedAt), Number(takenAt)),
      },
    ]),
  );
}

/** Messages about several alerts of which somebody has taken one. */
async function findSmaller(tx: Transaction, messages: readonly DueMessage[]): Promise<string[]> {
  if (messages.length === 0) return [];
  const rows: { id: string; alerts: unknown; others: unknown; endedAt: unknown; takenAt: unknown }[] = await tx.query(
    `SELECT g.message_id AS id, MAX(g.alerts) AS alerts, COUNT(DISTINCT CASE WHEN ${NOT_TAKEN} THEN g.alert_id END) AS others, ` +
      `MAX(CASE WHEN r.id IS NULL OR (${NOT_TAKEN}) THEN 0 ELSE COALESCE(r.ended_at, ${Number.MAX_SAFE_INTEGER}) END) AS endedAt, ` +
      `MAX(CASE WHEN r.id IS NULL OR (${NOT_TAKEN}) THEN 0 ELSE ${TAKEN_AT} END) AS takenAt ` +
      'FROM ladder_gathered g LEFT JOIN alerts a ON a.id = g.alert_id LEFT JOIN ladder_runs r ON r.id = g.run_id ' +
      `WHERE g.message_id IN (${marksOf(messages)}) GROUP BY g.message_id`,
    messages.map(({ id }) => id),
  );
  const byId = new Map(messages.map((message) => [message.id, message]));
  return rows
    .filter(({ id, alerts, others, endedAt, takenAt }) => {
      const end = { isTaken: Number(others) < Number(alerts), at: Math.max(Number(endedAt), Number(takenAt)) };
      const message = byId.get(id);
      return message !== undefined && isTakenSince(message, end);
    })
    .map(({ id }) => id);
}
