import type { Verdict } from '#backend/outgoing/destinations/judge-answer.ts';
import { DestinationEntity, type StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { CIRCUIT_FAILURES, circuitPause, isWaiting, pauseAfter } from '#backend/outgoing/destinations/backoff.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { keepTicket } from './keep-ticket.ts';
import { GROUP_KEY, LiveMessageEntity, withAttempt } from './message-entity.ts';

const HOUR_MS = 60 * 60 * 1000;

/** One attempt that has ended. */
export interface Result {
  message: ClaimedMessage;
  verdict: Verdict & { durationMs: number };
  /** When it ended, in milliseconds since the epoch. */
  at: number;
}

/** What a destination has become by its results. */
export type Health = Pick<
  StoredDestination,
  'failures' | 'failingSince' | 'retryAt' | 'reason' | 'lastSentAt' | 'alarmedAt'
>;

/** What changed of a destination's health that administrators are alerted to. */
export type HealthNews = { kind: 'failing'; reason: string } | { kind: 'recovered' } | undefined;

/** The health of a destination after its results, in the order in which they ended. Pure. */
export function healthAfter(before: Health, results: readonly Result[], random?: () => number): Health {
  const health: Health = { ...before };
  for (const { verdict, at } of results) {
    const waitingUntil = isWaiting(health.retryAt, at) ? health.retryAt : null;
    if (verdict.outcome === 'sent') {
      Object.assign(health, { failures: 0, failingSince: null, retryAt: null, reason: null, lastSentAt: at });
      continue;
    }
    health.reason = verdict.answer;
    if (verdict.outcome === 'retry' && verdict.waitMs !== undefined) {
      // It answers, and says when to come again: that is no failure.
      health.retryAt = Math.max(waitingUntil ?? 0, at + verdict.waitMs);
      continue;
    }
    health.failures += 1;
    health.failingSince ??= at;
    const pause = circuitPause(health.failures, random);
    if (pause > 0) health.retryAt = Math.max(waitingUntil ?? 0, at + pause);
  }
  return health;
}

/** A destination as it was when messages were sent there. */
export interface SentTo {
  id: string;
  isForPeople: boolean;
  /** Whether it leads elsewhere by now: what was posted is not changed any more. */
  isElsewhere(stored: StoredDestination): boolean;
}

/** Writes down what attempts came to, and what the destination is like by that. */
export async function recordResults(
  tx: Transaction,
  destination: SentTo,
  results: readonly Result[],
): Promise<HealthNews> {
  const { id: destinationId } = destination;
  const [before] = await tx.lockRows(DestinationEntity, { id: destinationId });
  // With it its messages are gone.
  if (!before) return undefined;
  const isKept = !destination.isElsewhere(before);
  for (const result of results) await recordOne(tx, { ...destination, isKept }, result);
  const sent = results.filter(({ verdict }) => verdict.outcome === 'sent');
  for (const [hour, some] of Map.groupBy(sent, ({ at }) => Math.floor(at / HOUR_MS))) {
    const insert = insertSql('outgoing_counts', ['destination_id', 'hour', 'sent'], 1);
    await tx.query(tx.dialect.upsertSum(insert, 'destination_id, hour', 'sent'), [destinationId, hour, some.length]);
  }
  const after = healthAfter(before, results);
  const isBack = after.failures === 0 && before.failures >= CIRCUIT_FAILURES;
  // What failed because nothing got through is due at once.
  if (isBack) await makeDue(tx, destinationId);
  const { failures, failingSince, retryAt, reason, lastSentAt } = after;
  await tx
    .getRepository(DestinationEntity)
    .update({ id: destinationId }, { failures, failingSince, retryAt, reason, lastSentAt });
  return newsOf(before, after);
}

/** Writes down that administrators were alerted. A server that is killed before that has it done twice, to the same alert. */
export const recordReport = (tx: Transaction, id: string, { kind }: NonNullable<HealthNews>): Promise<unknown> =>
  tx.getRepository(DestinationEntity).update({ id }, { alarmedAt: kind === 'failing' ? Date.now() : null });

/** Administrators are alerted once to a destination that fails, and once to its recovery. */
function newsOf(before: Health, after: Health): HealthNews {
  if (after.failures >= CIRCUIT_FAILURES && before.alarmedAt === null)
    return { kind: 'failing', reason: after.reason ?? '' };
  if (after.failures === 0 && before.alarmedAt !== null) return { kind: 'recovered' };
  return undefined;
}

async function recordOne(
  tx: Transaction,
  destination: Pick<SentTo, 'id' | 'isForPeople'> & { isKept: boolean },
  { message, verdict, at }: Result,
): Promise<void> {
  const { id, alertId, attempts, giveUpAt, event } = message;
  const live = { destinationId: destination.id, alertId };
  if (destination.isKept && verdict.remote !== undefined) await keepRemote(tx, live, verdict.remote, at);
  if (destination.isKept && verdict.ticket !== undefined && (await isThere(tx, id)))
    await keepTicket(tx, live, verdict.ticket, at);
  const answer = verdict.answer;
  const attempt = { at: new Date(at).toISOString(), durationMs: verdict.durationMs, answer };
  const log = withAttempt(message, attempt);
  const isOver = verdict.outcome === 'refused' || (verdict.outcome === 'retry' && at >= giveUpAt);
  if (event === 'update' && (verdict.outcome === 'sent' || isOver)) {
    await tx.query('DELETE FROM outgoing_messages WHERE id = ?', [id]);
    return;
  }
  if (verdict.outcome === 'sent' || isOver) {
    await tx.query(
      'UPDATE outgoing_messages SET state = ?, finished_at = ?, attempt_log = ?, claimed_until = 0 ' +
        "WHERE id = ? AND state = 'waiting'",
      [isOver ? 'not-delivered' : 'sent', at, log, id],
    );
    return;
  }
  const waitMs = Math.max(pauseAfter(attempts), verdict.outcome === 'retry' ? (verdict.waitMs ?? 0) : 0);
  await tx.query(
    "UPDATE outgoing_messages SET next_at = ?, attempt_log = ?, claimed_until = 0 WHERE id = ? AND state = 'waiting'",
    [at + waitMs, log, id],
  );
  if (event === 'note' || !destination.isForPeople) return;
  // While it was being sent a newer one came, which says more. An update posts nothing, so it takes the place of updates alone.
  const [newer]: unknown[] = await tx.query(
    'SELECT id FROM outgoing_messages WHERE alert_id = ? AND destination_id = ? AND id > ? ' +
      `AND state = 'waiting' AND event <> 'note'${event === 'update' ? '' : " AND event <> 'update'"} LIMIT 1`,
    [alertId, destination.id, id],
  );
  if (!newer) return;
  await tx.query(
    `UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE id = ? AND event_key NOT LIKE '${GROUP_KEY}%'`,
    [at, id],
  );
}

/** Whether a message is there still. It is deleted with its alert or its destination, and with it what is known of the ticket. */
async function isThere(tx: Transaction, id: string): Promise<boolean> {
  const [row]: unknown[] = await tx.query(`SELECT id FROM outgoing_messages WHERE id = ?${tx.dialect.forUpdate}`, [id]);
  return row !== undefined;
}

/** Writes down what a service calls the live message of an alert, in the transaction in which its message is sent. */
async function keepRemote(
  tx: Transaction,
  live: { destinationId: string; alertId: string },
  remote: string | null,
  at: number,
): Promise<void> {
  if (remote === null) {
    await tx.getRepository(LiveMessageEntity).delete(live);
    return;
  }
  const columns = ['destination_id', 'alert_id', 'remote', 'updated_at'];
  await tx.query(
    tx.dialect.upsertValues(insertSql('outgoing_live', columns, 1), 'destination_id, alert_id', [
      'remote',
      'updated_at',
    ]),
    [live.destinationId, live.alertId, remote, at],
  );
}

/** Makes all that waits for a destination due now. */
export const makeDue = (tx: Transaction, destinationId: string, now = Date.now()): Promise<unknown> =>
  tx.query(
    'UPDATE outgoing_messages SET next_at = 0 ' +
      `WHERE destination_id = ? AND state = 'waiting' AND next_at > ? AND ${IS_FREE}`,
    [destinationId, now, ...freeAt(now)],
  );
