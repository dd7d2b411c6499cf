import type { User } from '#backend/identity/users/user.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { AlertEntity, ALERT_PLACE } from '#backend/alerts/alert/alert.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { endRun } from './end-ladder.ts';
import { LadderRunEntity, type StoredLadderRun, ladderOfRun } from './ladder-entities.ts';
import { databaseNow } from './run-ladders.ts';
import { timetableOf } from './timetable.ts';

/** Who changes a ladder that runs. */
export interface LadderCaller {
  author: Author;
  displayName: User['displayName'];
}

/** A ladder of an alert. */
interface Named {
  alertId: string;
  runId: string;
}

/**
 * Brings the next step forward: the server that leads takes it at once, and those after it keep their distance.
 *
 * @param position the step that was next when somebody asked: one that was taken since is not followed by another
 * @throws {ProblemError} 404, 409 when the ladder has gone on or ended
 */
export async function skipToNext(
  database: Database,
  { author }: LadderCaller,
  named: Named,
  position: number,
): Promise<void> {
  const now = await databaseNow(database);
  await onBehalfOf(database, author).transaction(async (tx) => {
    const run = await lockRunning(tx, named);
    if (run.position !== position) throw conflict('That step was taken in the meantime.');
    if (run.dueAt <= now) return;
    // One that was put off is due later than its time, by which those after it go.
    const place = timetableOf(ladderOfRun(run))[position];
    const earlyMs = Math.max(0, run.countedFrom + (place?.afterMs ?? 0) - now);
    await tx
      .getRepository(LadderRunEntity)
      .update({ id: run.id }, { dueAt: now, countedFrom: run.countedFrom - earlyMs });
    await addAudit(tx, author, 'ladder_skipped', run.ruleName, { detail: named.alertId });
    announce(tx, { type: 'ladder_changed', alertId: named.alertId, ownerId: null });
  });
}

/** Ends a ladder for its alert. @throws {ProblemError} 404, 409 when it has ended */
export async function stopRun(database: Database, { author, displayName }: LadderCaller, named: Named): Promise<void> {
  const now = await databaseNow(database);
  await onBehalfOf(database, author).transaction(async (tx) => {
    const run = await lockRunning(tx, named);
    const [alert] = await tx.getRepository(AlertEntity).find({
      select: Object.fromEntries(ALERT_PLACE.map((column) => [column, true])),
      where: { id: named.alertId },
    });
    await endRun(tx, run, { reason: 'stopped', by: displayName, at: now, ownerId: alert?.ownerId ?? null });
    await addAudit(tx, author, 'ladder_stopped', run.ruleName, { detail: named.alertId });
  });
}

async function lockRunning(tx: Transaction, { alertId, runId }: Named): Promise<StoredLadderRun> {
  const [run] = await tx.lockRows(LadderRunEntity, { id: runId, alertId });
  if (!run) throw notFound('There is no such ladder of this alert.');
  if (run.state !== 'running') throw conflict('This ladder has ended already.');
  return run;
}
