import { IsNull } from 'typeorm';
import type { Verdict } from '#backend/outgoing/destinations/judge-answer.ts';
import {
  DestinationEntity,
  type StoredDestination,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { CIRCUIT_FAILURES, circuitPause, isWaiting, pauseAfter } from '#backend/outgoing/destinations/backoff.ts';
import { IS_FREE, freeAt } from '#backend/platform/database/claims.ts';
import type { ClaimedMessage } from './claim-messages.ts';
import { keepTicket } from './keep-ticket.ts';
import { GROUP_KEY, LADDERS_KEY, LiveMessageEntity, readAttempts, sentAgainAt, withAttempt } from './message-entity.ts';

const HOUR_MS = 60 * 60 * 1000;

const FORBIDDEN = 'This destination may not be sent alerts of this customer.';

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
    health.failingSince ??= at;
    if (verdict.outcome === 'refused') {
      // It answers: others may be taken. Administrators are alerted to many in a row, but the first pause of a failure stays short.
      health.failures = Math.max(health.failures, Math.min(health.failures + 1, CIRCUIT_FAILURES));
      continue;
    }
    health.failures += 1;
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
  const isPhone = readSettings(before).gatewayId !== null;
  for (const result of results) await recordOne(tx, { ...destination, isKept, isPhone }, result);
  return recordHealth(tx, before, results);
}

/** Answers that may be about the number of one member alone, as statuses. */
const OF_A_NUMBER = /^(400|404|409|410|422)\b/;

/** What messages to members' phones say of their gateway. Everybody reads it: a service's own words may have a member's number in them. */
export const resultsAtGateway = (results: readonly Result[]): Result[] =>
  results.flatMap((result) => {
    const { verdict } = result;
    if (verdict.outcome === 'refused' || OF_A_NUMBER.test(verdict.answer)) return [];
    return [{ ...result, verdict: { ...verdict, answer: withoutWords(verdict) } }];
  });

/** An answer without the words of the service. */
const withoutWords = (verdict: Verdict): string =>
  verdict.outcome === 'sent' ? verdict.answer : (verdict.unquoted ?? verdict.answer);

/**
 * Writes down what messages to a member's phone say of the gateway that they are sent by, which other members' are sent by, too.
 *
 * @returns the gateway, where administrators are alerted to it
 */
export async function recordAtGateway(
  tx: Transaction,
  gatewayId: string,
  results: readonly Result[],
): Promise<{ destination: StoredDestination; news: NonNullable<HealthNews> } | undefined> {
  const own = resultsAtGateway(results);
  if (own.length === 0) return undefined;
  const [destination] = await tx.lockRows(DestinationEntity, { id: gatewayId, ownerId: IsNull() });
  if (!destination) return undefined;
  const news = await recordHealth(tx, destination, own);
  return news && { destination, news };
}

async function recordHealth(
  tx: Transaction,
  before: StoredDestination,
  results: readonly Result[],
): Promise<HealthNews> {
  const { id } = before;
  const sent = results.filter(({ verdict }) => verdict.outcome === 'sent');
  for (const [hour, some] of Map.groupBy(sent, ({ at }) => Math.floor(at / HOUR_MS))) {
    const insert = insertSql('outgoing_counts', ['destination_id', 'hour', 'sent'], 1);
    await tx.query(tx.dialect.upsertSum(insert, 'destination_id, hour', 'sent'), [id, hour, some.length]);
  }
  const after = healthAfter(before, results);
  const isBack = after.failures === 0 && before.failures >= CIRCUIT_FAILURES;
  // What failed because nothing got through is due at once.
  if (isBack) await makeDue(tx, id);
  const { failures, failingSince, retryAt, reason, lastSentAt } = after;
  await tx.getRepository(DestinationEntity).update({ id }, { failures, failingSince, retryAt, reason, lastSentAt });
  return newsOf(before, after);
}

/** Writes down that messages may not be sent to a destination any more. Nothing was tried: it says nothing of its health. */
export async function recordForbidden(
  tx: Transaction,
  { id, isForPeople }: Pick<SentTo, 'id' | 'isForPeople'>,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  const verdict = { outcome: 'refused', answer: FORBIDDEN, durationMs: 0 } as const;
  const at = Date.now();
  for (const message of messages)
    await recordOne(tx, { id, isForPeople, isKept: false, isPhone: false }, { message, verdict, at });
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
  destination: Pick<SentTo, 'id' | 'isForPeople'> & { isKept: boolean; isPhone: boolean },
  { message, verdict, at }: Result,
): Promise<void> {
  const { id, alertId, giveUpAt, event } = message;
  const live = { destinationId: destination.id, alertId };
  if (destination.isKept && verdict.remote !== undefined) await keepRemote(tx, live, verdict.remote, at);
  if (destination.isKept && verdict.ticket !== undefined && (await isThere(tx, id)))
    await keepTicket(tx, live, verdict.ticket, at);
  // Whoever sees the alert reads it; of a member's phone, its owner alone reads the words of the service, in Settings.
  const answer = destination.isPhone ? withoutWords(verdict) : verdict.answer;
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
  const waitMs = Math.max(pauseAfter(attemptsNow(message)), verdict.outcome === 'retry' ? (verdict.waitMs ?? 0) : 0);
  await tx.query(
    "UPDATE outgoing_messages SET next_at = ?, attempt_log = ?, claimed_until = 0 WHERE id = ? AND state = 'waiting'",
    [at + waitMs, log, id],
  );
  if (event === 'note' || !destination.isForPeople) return;
  // While it was being sent a newer one came, which says more. An update posts nothing, so it takes the place of updates alone.
  const [newer]: unknown[] = await tx.query(
    'SELECT n.id FROM outgoing_messages n JOIN outgoing_messages m ON m.id = ? ' +
      'WHERE n.alert_id = ? AND n.destination_id = ? AND n.id > m.id ' +
      `AND n.state = 'waiting' AND n.event <> 'note'${event === 'update' ? '' : " AND n.event <> 'update'"} ` +
      `AND (n.event_key NOT LIKE '${LADDERS_KEY}%' OR m.event_key LIKE '${LADDERS_KEY}%') LIMIT 1`,
    [id, alertId, destination.id],
  );
  if (!newer) return;
  await tx.query(
    `UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE id = ? AND event_key NOT LIKE '${GROUP_KEY}%'`,
    [at, id],
  );
}

/** How many attempts of a message there were since it was made, or since it was sent again. */
function attemptsNow(message: ClaimedMessage): number {
  const since = sentAgainAt(message);
  if (since === undefined) return message.attempts;
  return readAttempts(message).filter(({ at }) => Date.parse(at) >= since).length + 1;
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
