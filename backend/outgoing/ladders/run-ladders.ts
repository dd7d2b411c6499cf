import pLimit from 'p-limit';
import type { Database } from '#backend/platform/database/database.ts';
import { prune } from '#backend/platform/database/prune.ts';
import { OUTGOING_KEPT_DAYS } from '#backend/contract/outgoing.ts';
import { DATABASE_NOW } from '#backend/platform/database/lease.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import type { FollowingWork } from '#backend/outgoing/messages/follow-feed.ts';
import type { SendDeps } from '#backend/outgoing/messages/send-messages.ts';
import { endOf, endTaken } from './end-ladder.ts';
import { type FollowedClock, createFollowedClock } from '#backend/platform/database/followed-clock.ts';
import { dropTaken } from './drop-taken.ts';
import { LadderRunEntity, ladderOfRun } from './ladder-entities.ts';
import { sendGathered } from './send-gathered.ts';
import { createPutOff } from './put-off.ts';
import { deleteRunsOf, makeRuns, startsOf, storeRuns } from './start-ladders.ts';
import type { StepDeps } from './take-step.ts';
import { boundedDue, gapBefore, timetableOf } from './timetable.ts';

/** Steps that are taken, and ladders that end, in one look. */
const AT_ONCE = 50;

/** Steps that are taken side by side: each is about another alert. */
const TOGETHER = 8;

/** Ladders, as the work on outgoing alerts asks for them. */
export interface LadderWork extends FollowingWork, Pick<SendDeps['ladders'], 'dropTaken'> {
  /** Takes the steps that are due; in how many milliseconds the next one is, `Infinity` while no ladder runs. */
  work(stopping: AbortSignal): Promise<number>;
  /** Deletes what is old. @param now by a clock that no jump can hurry */
  prune(stopping: AbortSignal, now: number): Promise<void>;
}

/** Dependencies of ladders, on the server that leads. */
export interface LadderDeps extends StepDeps {
  logger: Logger;
  clock?: FollowedClock;
}

/** The database's clock, in milliseconds since the epoch: the same for every server. */
export async function databaseNow({ reads, dialect }: Pick<Database, 'reads' | 'dialect'>): Promise<number> {
  if (dialect.name === 'sqlite') return Date.now();
  const [row]: { now: unknown }[] = await reads.query(`SELECT ${DATABASE_NOW} AS now`);
  return Number(row?.now);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A ladder lasts for ten days at most, so its steps are kept for longer than it is. */
const STEPS_DAYS = OUTGOING_KEPT_DAYS + 15;

/** Deletes ladders that ended as long ago as receipts are kept. @param now by a clock that no jump can hurry */
export async function pruneLadders(database: Database, stopping: AbortSignal, now: number): Promise<void> {
  const runs = { table: 'ladder_runs', column: 'ended_at', index: 'ladder_runs_ended' };
  await prune(database, runs, now - OUTGOING_KEPT_DAYS * DAY_MS, stopping);
  const steps = { table: 'ladder_steps', column: 'fired_at', index: 'ladder_steps_fired' };
  await prune(database, steps, now - STEPS_DAYS * DAY_MS, stopping);
  const gathered = { table: 'ladder_gathered', column: 'gathered_at', index: 'ladder_gathered_at' };
  await prune(database, gathered, now - STEPS_DAYS * DAY_MS, stopping);
}

/** Ladders at work: begun by what the feed says, gone on with by time, ended by whoever takes the alert. */
export function createLadders(deps: LadderDeps): LadderWork {
  const { database, logger, clock = createFollowedClock(() => databaseNow(database)) } = deps;
  const putOff = createPutOff(deps);
  let isBounded = false;

  /** What is due moves with a clock that was set. */
  const move = (byMs: number): Promise<unknown> =>
    database.transaction((tx) =>
      tx.query("UPDATE ladder_runs SET due_at = due_at + ?, counted_from = counted_from + ? WHERE state = 'running'", [
        byMs,
        byMs,
      ]),
    );

  const currentTime = async (): Promise<number> => {
    const { now, jumpMs, moved } = await clock.now();
    if (jumpMs !== 0) {
      logger.warn({ jumpMs }, 'the clock was set; steps of ladders keep their distance');
      await move(jumpMs);
      putOff.forget();
      moved();
    }
    return now;
  };

  /** Once for each leader: while nobody led, the clock may have been set back. */
  const bound = async (now: number): Promise<void> => {
    const running = await database.reads.getRepository(LadderRunEntity).findBy({ state: 'running' });
    for (const run of running) {
      const gapMs = gapBefore(timetableOf(ladderOfRun(run)), run.position);
      const early = run.dueAt - boundedDue(run.dueAt, gapMs, now);
      if (early <= 0) continue;
      await database.transaction((tx) =>
        tx.query(
          'UPDATE ladder_runs SET due_at = due_at - ?, counted_from = counted_from - ? WHERE id = ? AND position = ?',
          [early, early, run.id, run.position],
        ),
      );
    }
  };

  /** Says of ladders whose alert was taken that they have ended. No step depends on it: each looks at its alert itself. */
  const end = async (now: number): Promise<void> => {
    const rows: { id: string }[] = await database.reads.query(
      "SELECT r.id AS id FROM ladder_runs r JOIN alerts a ON a.id = r.alert_id WHERE r.state = 'running' " +
        `AND (a.status <> 'pending' OR a.snoozed_until IS NOT NULL OR a.quiet_by_id IS NOT NULL) LIMIT ${AT_ONCE}`,
    );
    for (const { id } of rows) {
      await database.transaction(async (tx) => {
        const [run] = await tx.lockRows(LadderRunEntity, { id });
        if (run?.state !== 'running') return;
        const alert = await tx.getRepository(AlertEntity).findOneBy({ id: run.alertId });
        const reason = alert ? endOf(alert) : undefined;
        if (alert && reason !== undefined) await endTaken(tx, run, alert, reason, now);
      });
    }
  };

  return {
    async prepare(plan, rows) {
      const starts = rows.flatMap(({ facts, row }) => startsOf(facts, row));
      const runs = await makeRuns(deps, plan, starts);
      if (runs.length === 0) return undefined;
      const now = await currentTime();
      return (tx) => storeRuns(tx, runs, now);
    },
    forget: deleteRunsOf,
    dropTaken,
    prune: (stopping, now) => pruneLadders(database, stopping, now),
    async work(stopping) {
      const now = await currentTime();
      if (!isBounded) await bound(now);
      isBounded = true;
      await end(now);
      const due: { id: string }[] = await database.reads.query(
        `SELECT id FROM ladder_runs WHERE state = 'running' AND due_at <= ? ORDER BY due_at, id LIMIT ${AT_ONCE}`,
        [now],
      );
      const inTurn = pLimit(TOGETHER);
      const take = putOff.taking(now, stopping);
      await Promise.all(due.map(({ id }) => inTurn(() => take(id))));
      const [next]: { dueAt: number | string | null }[] = await database.reads.query(
        "SELECT MIN(due_at) AS dueAt FROM ladder_runs WHERE state = 'running'",
      );
      const gatheredMs = await sendGathered(deps, now, stopping);
      return next?.dueAt == null ? gatheredMs : Math.min(gatheredMs, Math.max(0, Number(next.dueAt) - now));
    },
  };
}
