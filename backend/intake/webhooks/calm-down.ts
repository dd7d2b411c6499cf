import { placeOf } from '#backend/alerts/alert/alert.ts';
import type { FlappingNow } from '#backend/alerts/groups/flapping-rule.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { BUILT_IN_SOURCE } from '#backend/intake/write/incoming-delivery.ts';
import { lockProblems, problemKey, writeEnded } from '#backend/intake/write/problem-rows.ts';
import { type ProblemAlert, type ProblemPolicy, calmDown } from '#backend/intake/write/problems.ts';
import { forgetRhythms } from '#backend/intake/write/rhythms.ts';
import { type TouchedAlert, decidedByProduct } from '#backend/intake/write/write-rows.ts';
import { policyOf } from './deliver.ts';

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
export interface CalmDeps {
  database: Database;
  logger: Logger;
  sources: Pick<SourceRegistry, 'get'>;
  flapping: FlappingNow;
  now?: () => number | Promise<number>;
}

/** Ends that problems flap once they are calm, again and again until it is stopped. One of several servers does. */
export function startCalming(deps: CalmDeps): Repeating {
  return startRepeating((stopping) => calmAll(deps, stopping), {
    intervalMs: INTERVAL_MS,
    onError: (error) =>
      deps.logger.error({ err: error }, 'flapping problems could not be ended; the next attempt follows'),
  });
}

/**
 * Ends that problems flap which have become calm, all where the rule is off, in small transactions: each is announced once, as
 * its sender reports it.
 *
 * @returns how many were ended
 */
export async function calmAll(deps: CalmDeps, stopping: AbortSignal): Promise<number> {
  const { database, flapping, now = Date.now } = deps;
  let ended = 0;
  while (!stopping.aborted) {
    const at = await now();
    const due = await findDue(database, flapping.terms() ? at : Number.MAX_SAFE_INTEGER);
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

const findDue = ({ reads }: Database, until: number): Promise<Due[]> =>
  reads.query(
    'SELECT e.alert_id AS alertId, a.source_id AS sourceId, a.dedup_key AS dedupKey FROM flapping_ends e ' +
      `LEFT JOIN alerts a ON a.id = e.alert_id WHERE e.due_at <= ? ORDER BY e.due_at, e.alert_id LIMIT ${BATCH}`,
    [until],
  );

function calm({ database, sources, flapping }: CalmDeps, due: readonly Due[], now: number): Promise<number> {
  return database.transaction(async (tx) => {
    const keys = new Map<string, Set<string>>();
    for (const { sourceId, dedupKey } of due) {
      const source = sourceId ?? BUILT_IN_SOURCE;
      if (dedupKey !== null) keys.set(source, (keys.get(source) ?? new Set()).add(dedupKey));
    }
    // A report that comes at the same moment waits for these locks, or was committed before them and is seen.
    const problems = keys.size > 0 ? await lockProblems(tx, keys) : new Map<string, never>();
    const until = flapping.terms() ? now : Number.MAX_SAFE_INTEGER;
    const dueIds = await lockDue(tx, due, until);
    const over: string[] = [];
    const ended: TouchedAlert[] = [];
    for (const { alertId, sourceId, dedupKey } of due) {
      if (!dueIds.has(alertId)) continue;
      over.push(alertId);
      const alert = problems.get(problemKey(sourceId ?? BUILT_IN_SOURCE, dedupKey ?? ''))?.alert;
      if (alert?.id !== alertId) continue;
      const source = sources.get(sourceId ?? '');
      const calmed = calmOne(alert, source ? policyOf(source.settings) : policyWithout(sourceId), now);
      if (calmed) ended.push(calmed);
    }
    await forgetRhythms(tx, over);
    await writeEnded(tx, ended);
    return ended.length;
  });
}

/** Those that are still due, locked: another report may have come since. */
async function lockDue(tx: Transaction, due: readonly Due[], until: number): Promise<Set<string>> {
  const rows: { id: string }[] = await tx.query(
    `SELECT alert_id AS id FROM flapping_ends WHERE due_at <= ? AND alert_id IN (${due.map(() => '?').join(', ')})` +
      tx.dialect.forUpdate,
    [until, ...due.map(({ alertId }) => alertId)],
  );
  return new Set(rows.map(({ id }) => id));
}

function calmOne(alert: ProblemAlert, policy: ProblemPolicy, now: number): TouchedAlert | undefined {
  const before = placeOf(alert);
  const change = calmDown(alert, policy, now);
  Object.assign(alert, { flappingSince: null, rhythm: null });
  return change && decidedByProduct(alert, before, change);
}
