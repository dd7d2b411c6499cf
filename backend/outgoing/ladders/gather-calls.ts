import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import { isAhead } from '#backend/platform/database/ahead.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import {
  GatheredEntity,
  LadderCallEntity,
  type StoredGathered,
  type StoredLadderCall,
  type StoredLadderRun,
} from './ladder-entities.ts';

/**
 * The ladders of a rule notify somebody, or send to a destination that people read, once in so long, in milliseconds. What comes
 * meanwhile is gathered: a storm is a notice with a number.
 */
export const GATHER_MS = 30_000;

/** A step that is being taken. */
export interface TakenNow {
  run: Pick<StoredLadderRun, 'id' | 'ruleId' | 'alertId'>;
  position: number;
  now: number;
  isUrgent: boolean;
  isEnd: boolean;
}

/** A member or a destination, as steps notify them. */
export interface Called {
  id: string;
  kind: StoredGathered['targetKind'];
}

/**
 * Decides who is notified of an alert at once, in the transaction of the step. Who was notified of another alert a moment ago is
 * notified of this one later, together with what else comes: that is stored here. Every transaction of a ladder holds the lease,
 * so no two decide at the same time.
 *
 * @returns the ids of those who are notified later
 */
export async function gatherCalls(
  tx: Transaction,
  { run, position, now, isUrgent, isEnd }: TakenNow,
  called: readonly Called[],
  gatherMs: number,
): Promise<ReadonlySet<string>> {
  const { ruleId, alertId } = run;
  if (called.length === 0) return new Set();
  const known: StoredLadderCall[] = [];
  for (const some of inSizes(called)) {
    const targetId = In(some.map(({ id }) => id));
    known.push(...(await tx.getRepository(LadderCallEntity).findBy({ ruleId, targetId })));
  }
  // Steps of one alert are minutes apart, or brought forward by a person.
  const others = known.filter((one) => one.alertId !== alertId);
  const isOver = ({ quietUntil }: StoredLadderCall): boolean => !isAhead(quietUntil, now, gatherMs);
  const waiting = await findWaiting(
    tx,
    ruleId,
    others.filter(isOver).map(({ targetId }) => targetId),
  );
  // What waits is sent after the steps that are due, and this with it: else each of them would put it off once more.
  const quiet = new Set(
    others.filter((one) => !isOver(one) || waiting.has(one.targetId)).map(({ targetId }) => targetId),
  );
  const later = called.filter(({ id }) => quiet.has(id));
  const atOnce = called.filter(({ id }) => !quiet.has(id));
  await noteCalls(
    tx,
    atOnce.map(({ id }) => ({ ruleId, targetId: id, alertId, quietUntil: now + gatherMs })),
  );
  for (const some of inSizes(later)) {
    await tx.getRepository(GatheredEntity).insert(
      some.map(({ id, kind }) => ({
        id: newId(),
        ruleId,
        targetId: id,
        targetKind: kind,
        runId: run.id,
        position,
        alertId,
        isUrgent,
        isEnd,
        state: 'waiting' as const,
        messageId: null,
        alerts: 0,
        gatheredAt: now,
        doneAt: null,
      })),
    );
  }
  return new Set(later.map(({ id }) => id));
}

/** For whom of these something waits. */
async function findWaiting(tx: Transaction, ruleId: string, targetIds: string[]): Promise<ReadonlySet<string>> {
  const waiting = new Set<string>();
  for (const some of inSizes(targetIds)) {
    const rows: { targetId: string }[] = await tx.query(
      'SELECT DISTINCT target_id AS targetId FROM ladder_gathered ' +
        `WHERE rule_id = ? AND target_id IN (${marksOf(some)}) AND state = 'waiting'`,
      [ruleId, ...some],
    );
    for (const { targetId } of rows) waiting.add(targetId);
  }
  return waiting;
}

/** From when on somebody may be notified again. */
export const noteCall = (tx: Transaction, call: StoredLadderCall): Promise<void> => noteCalls(tx, [call]);

async function noteCalls(tx: Transaction, calls: readonly StoredLadderCall[]): Promise<void> {
  for (const some of inSizes(calls)) {
    const insert = insertSql('ladder_calls', ['rule_id', 'target_id', 'alert_id', 'quiet_until'], some.length);
    await tx.query(
      tx.dialect.upsertValues(insert, 'rule_id, target_id', ['alert_id', 'quiet_until']),
      some.flatMap(({ ruleId, targetId, alertId, quietUntil }) => [ruleId, targetId, alertId, quietUntil]),
    );
  }
}

/** Gathers again what messages about several alerts speak of, which are not sent. @param now in milliseconds since the epoch */
export async function gatherAgain(tx: Transaction, messageIds: readonly string[], now: number): Promise<void> {
  for (const id of messageIds) {
    await tx.query(
      "UPDATE outgoing_messages SET state = 'replaced', finished_at = ? WHERE id = ? AND state = 'waiting'",
      [now, id],
    );
    const [one] = await tx.getRepository(GatheredEntity).find({ where: { messageId: id }, take: 1 });
    if (!one) continue;
    await tx
      .getRepository(GatheredEntity)
      .update({ messageId: id }, { state: 'waiting', messageId: null, doneAt: null });
    await noteCall(tx, { ruleId: one.ruleId, targetId: one.targetId, alertId: one.alertId, quietUntil: 0 });
  }
}
