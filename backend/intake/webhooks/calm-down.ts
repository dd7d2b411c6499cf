import { marksOf } from '#backend/platform/database/conditions.ts';
import { placeOf } from '#backend/alerts/alert/alert.ts';
import { termsFor } from '#backend/alerts/alert/rhythm.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { BUILT_IN_SOURCE } from '#backend/intake/write/incoming-delivery.ts';
import { lockProblems, problemKey, writeEnded } from '#backend/intake/write/problem-rows.ts';
import { type ProblemAlert, type ProblemPolicy, calmDown } from '#backend/intake/write/problems.ts';
import { forgetRhythms } from '#backend/intake/write/rhythms.ts';
import { notifyOncePerCard } from '#backend/intake/write/touched-alerts.ts';
import { type TouchedAlert, decidedByProduct } from '#backend/intake/write/write-rows.ts';
import { policyOf } from './deliver.ts';
import { type LimitDeps, createLimitFollower } from './follow-limits.ts';

/** Problems that one transaction checks at most, and the pause after it in milliseconds: ingest goes between. */
const BATCH = 100;
const PAUSE_MS = 20;

/** How often calm problems are polled, in milliseconds. */
const INTERVAL_MS = 5_000;

/** What is the product's own is over when it says so; a source that was deleted decides about nothing any more. */
const policyWithout = (sourceId: string | null): ProblemPolicy => ({
  completesResolved: sourceId === null,
  reopenWithinMs: 0,
  notifyAgainAfterMs: null,
});

/** Dependencies of what ends that problems flap. */
export interface CalmDeps extends LimitDeps {
  logger: Logger;
  now?: () => number | Promise<number>;
}

/**
 * Ends that problems flap once they are calm by the limits of now, again and again until it is stopped. One of several servers
 * does.
 */
export function startCalming(deps: CalmDeps): Repeating {
  const followLimits = createLimitFollower(deps);
  return startRepeating(
    async (stopping) => {
      await followLimits(stopping);
      await calmAll(deps, stopping);
    },
    {
      intervalMs: INTERVAL_MS,
      onError: (error) =>
        deps.logger.error({ err: error }, 'flapping problems could not be ended; the next attempt follows'),
    },
  );
}

/**
 * Ends that problems flap which have become calm, and all of sources where none may, in small transactions: each is announced
 * once, as its sender reports it.
 *
 * @returns how many were ended
 */
export async function calmAll(deps: CalmDeps, stopping: AbortSignal): Promise<number> {
  const { now = Date.now } = deps;
  let ended = 0;
  while (!stopping.aborted) {
    const at = await now();
    const due = await findDue(deps, at);
    if (due.length === 0) break;
    ended += await calm(deps, due, at);
    await pause(PAUSE_MS, stopping);
  }
  return ended;
}

/** A problem that is due to be checked. */
interface Due {
  alertId: string;
  sourceId: string | null;
  /** Null where the alert is no more. */
  dedupKey: string | null;
}

function findDue(deps: CalmDeps, now: number): Promise<Due[]> {
  const { sql, sourceIds } = endsNow(deps);
  return deps.database.reads.query(
    'SELECT e.alert_id AS alertId, a.source_id AS sourceId, a.dedup_key AS dedupKey FROM flapping_ends e ' +
      `LEFT JOIN alerts a ON a.id = e.alert_id WHERE e.due_at <= ?${sql} ORDER BY e.due_at, e.alert_id LIMIT ${BATCH}`,
    [now, ...sourceIds],
  );
}

/** What of the condition finds problems of sources where none may flap, by the ids of sources that differ from the installation. */
function endsNow({ sources, flapping }: Pick<CalmDeps, 'sources' | 'flapping'>): { sql: string; sourceIds: string[] } {
  const isOn = flapping.terms() !== undefined;
  const sourceIds = [...sources.all()]
    .filter(({ settings }) => (termsFor(settings.flapping, flapping.terms()) !== undefined) !== isOn)
    .map(({ id }) => id);
  const marks = marksOf(sourceIds);
  if (isOn) return { sql: marks && ` OR a.source_id IN (${marks})`, sourceIds };
  return { sql: marks ? ` OR a.source_id IS NULL OR a.source_id NOT IN (${marks})` : ' OR 1 = 1', sourceIds };
}

function calm({ database, sources, flapping }: CalmDeps, due: readonly Due[], now: number): Promise<number> {
  const isEnded = ({ alertId, sourceId }: Due, dues: ReadonlyMap<string, number>): boolean => {
    const dueAt = dues.get(alertId);
    const mayFlap = termsFor(sources.get(sourceId ?? '')?.settings.flapping, flapping.terms()) !== undefined;
    return dueAt !== undefined && (dueAt <= now || !mayFlap);
  };
  return database.transaction(async (tx) => {
    const keys = new Map<string, Set<string>>();
    for (const { sourceId, dedupKey } of due) {
      const source = sourceId ?? BUILT_IN_SOURCE;
      if (dedupKey !== null) keys.set(source, (keys.get(source) ?? new Set()).add(dedupKey));
    }
    // A report that comes at the same moment waits for these locks, or was committed before them and is seen.
    const problems = keys.size > 0 ? await lockProblems(tx, keys) : new Map<string, never>();
    const dues = await lockDue(tx, due);
    const over: string[] = [];
    const ended: TouchedAlert[] = [];
    for (const one of due) {
      if (!isEnded(one, dues)) continue;
      const { alertId, sourceId, dedupKey } = one;
      over.push(alertId);
      const alert = problems.get(problemKey(sourceId ?? BUILT_IN_SOURCE, dedupKey ?? ''))?.alert;
      if (alert?.id !== alertId) continue;
      const source = sources.get(sourceId ?? '');
      const calmed = calmOne(alert, source ? policyOf(source.settings) : policyWithout(sourceId), now);
      if (calmed) ended.push(calmed);
    }
    await forgetRhythms(tx, over);
    await notifyOncePerCard(tx, [], ended);
    await writeEnded(tx, ended);
    return ended.length;
  });
}

/** When they are due by now, by their alerts, locked: another report may have come since. */
async function lockDue(tx: Transaction, due: readonly Due[]): Promise<Map<string, number>> {
  const rows: { id: string; dueAt: unknown }[] = await tx.query(
    `SELECT alert_id AS id, due_at AS dueAt FROM flapping_ends WHERE alert_id IN (${marksOf(due)})` +
      tx.dialect.forUpdate,
    due.map(({ alertId }) => alertId),
  );
  return new Map(rows.map(({ id, dueAt }) => [id, Number(dueAt)]));
}

function calmOne(alert: ProblemAlert, policy: ProblemPolicy, now: number): TouchedAlert | undefined {
  const before = placeOf(alert);
  const change = calmDown(alert, policy, now);
  Object.assign(alert, { flappingSince: null, rhythm: null });
  return change && decidedByProduct(alert, before, change);
}
