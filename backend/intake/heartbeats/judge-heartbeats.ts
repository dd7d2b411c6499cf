import { In } from 'typeorm';
import type { DatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import type { Arrivals } from '#backend/intake/write/write-batch.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import {
  DowntimeEntity,
  HeartbeatEntity,
  type StoredDowntime,
  type StoredHeartbeat,
  expectedOf,
} from './heartbeat-entities.ts';
import { type TakenStep, storeSteps } from './report-heartbeats.ts';
import { judge, mayHaveMissed, passOver } from './rules.ts';
import type { ServerWatch } from './watch-servers.ts';

/** How often overdue heartbeats are polled, in milliseconds: an alert is stored at the latest so long after the grace, and the time that storing takes. */
const POLL_MS = 400;

/** Heartbeats that one transaction judges. */
const TOGETHER = 200;

/** Dependencies of judging heartbeats, on the server that leads. */
export interface JudgeDeps {
  database: Database;
  clock: DatabaseClock;
  arrivals: Arrivals;
  watch: ServerWatch;
  logger: Logger;
}

/** Judges heartbeats whose time is over, again and again until it is stopped. One of several servers does. */
export function startJudging(deps: JudgeDeps): Repeating {
  let isAway = false;
  return startRepeating(
    async (stopping) => {
      await judgeAll(deps, stopping);
      isAway = false;
    },
    {
      intervalMs: POLL_MS,
      onError: (error) => {
        if (!isAway) deps.logger.error({ err: error }, 'heartbeats could not be judged; the next attempt follows');
        isAway = true;
      },
    },
  );
}

/**
 * Passes over what was due while no server ran, then makes the alerts of what is missing.
 *
 * @returns how many are missing
 */
export async function judgeAll(deps: JudgeDeps, stopping: AbortSignal): Promise<number> {
  const { database, clock, watch } = deps;
  // A server that stood still for a while finds that out before it judges anything.
  await watch.note();
  const unsettled: { id: string }[] = await database.reads.query(
    'SELECT id FROM heartbeat_downtimes WHERE is_settled = 0 ORDER BY id',
  );
  for (const { id } of unsettled) {
    const downtime = await database.reads.getRepository(DowntimeEntity).findOneBy({ id });
    if (downtime) await settle(deps, downtime, stopping);
  }
  let missing = 0;
  while (!stopping.aborted) {
    const now = Math.floor(clock.now());
    const due: { id: string }[] = await database.reads.query(
      `SELECT id FROM heartbeats WHERE judge_at <= ? AND paused_at IS NULL ORDER BY judge_at LIMIT ${TOGETHER}`,
      [now],
    );
    if (due.length === 0) break;
    const judged = await inLocked(deps, due, async (tx, rows) => {
      const steps = rows.flatMap((before): TakenStep[] => {
        // A call that came meanwhile was committed before, and is seen.
        const step = judge(before, now);
        return step ? [{ before, step, at: now }] : [];
      });
      await storeSteps(tx, steps, deps.arrivals);
      return steps.length;
    });
    // Every row that was due was called meanwhile: the next pass judges the rest.
    if (judged === 0) break;
    missing += judged;
  }
  return missing;
}

function inLocked<T>(
  { database }: JudgeDeps,
  due: readonly { id: string }[],
  work: (tx: Transaction, rows: StoredHeartbeat[]) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) =>
    work(tx, await tx.lockRows(HeartbeatEntity, { id: In(due.map(({ id }) => id)) })),
  );
}

/** Skips the time without a server for the heartbeats that may have been called in it. Each is handled once. */
async function settle(deps: JudgeDeps, downtime: StoredDowntime, stopping: AbortSignal): Promise<void> {
  const { database } = deps;
  const { id, fromAt, toAt } = downtime;
  for (let after = ''; !stopping.aborted;) {
    const some: { id: string }[] = await database.reads.query(
      `SELECT id FROM heartbeats WHERE judge_at >= ? AND id > ? ORDER BY id LIMIT ${TOGETHER}`,
      [fromAt, after],
    );
    const last = some.at(-1);
    if (!last) break;
    await inLocked(deps, some, async (tx, rows) => {
      const steps = rows.flatMap((before): TakenStep[] => {
        const expected = expectedOf(before);
        if (before.downtimeId === id || !mayHaveMissed(expected, before, fromAt, toAt)) return [];
        return [{ before: { ...before, downtimeId: id }, step: passOver(expected, before, toAt), at: toAt }];
      });
      if (steps.length === 0) return;
      await storeSteps(tx, steps, deps.arrivals);
      await tx.query('UPDATE heartbeat_downtimes SET heartbeats = heartbeats + ? WHERE id = ?', [steps.length, id]);
    });
    after = last.id;
  }
  if (stopping.aborted) return;
  await database.transaction(async (tx) => {
    // One in which nothing was due needs no words.
    await tx.query('DELETE FROM heartbeat_downtimes WHERE id = ? AND heartbeats = 0', [id]);
    await tx.query('UPDATE heartbeat_downtimes SET is_settled = 1 WHERE id = ?', [id]);
    announce(tx, { type: 'heartbeats_changed' });
  });
}
