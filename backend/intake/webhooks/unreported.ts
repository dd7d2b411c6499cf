import { marksOf } from '#backend/platform/database/conditions.ts';
import { placeOf } from '#backend/alerts/alert/alert.ts';
import { isFlapping } from '#backend/alerts/alert/rhythm.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { SERVERS, writeWatch } from '#backend/intake/sources/report-watch.ts';
import { healthOf } from '#backend/intake/sources/source-health.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { SourceStatsKeeper } from '#backend/intake/sources/source-stats.ts';
import { AWAITED_COLUMNS, DUE_COLUMNS } from '#backend/intake/write/awaited-reports.ts';
import { lockProblems, problemKey, writeEnded } from '#backend/intake/write/problem-rows.ts';
import { type ProblemAlert, endUnreported } from '#backend/intake/write/problems.ts';
import { type TouchedAlert, decidedByProduct } from '#backend/intake/write/write-rows.ts';
import { policyOf, unreportedAfter } from './deliver.ts';
import { scanSources } from './unreported-scan.ts';

/** Problems that one transaction judges at most, and the pause after it in milliseconds: ingest goes between. */
const BATCH = 100;
const PAUSE_MS = 20;

/** How often problems are judged, in milliseconds. */
const INTERVAL_MS = 30_000;

/** A longer time without a server, in milliseconds, is one in which reports may have been missed. */
const MAX_GAP_MS = 2 * 60_000;

/** A source that cannot be judged is judged again after so long, where its problems have ages of their own. */
const RECHECK_MS = 26 * 60 * 60_000;

/** A problem that flaps is checked again after so long, in milliseconds. */
const RECHECK_FLAPPING_MS = 60_000;

/** Dependencies of what ends problems that are no longer reported. */
export interface UnreportedDeps {
  database: Database;
  logger: Logger;
  sources: Pick<SourceRegistry, 'get'>;
  sourceStats: Pick<SourceStatsKeeper, 'read'>;
  now?: () => number | Promise<number>;
}

/** Ends problems that their senders no longer report, again and again until it is stopped. One of several servers does. */
export function startEndingUnreported(deps: UnreportedDeps): Repeating {
  return startRepeating((stopping) => endAllUnreported(deps, stopping), {
    intervalMs: INTERVAL_MS,
    onError: (error) =>
      deps.logger.error(
        { err: error },
        'problems that are no longer reported could not be ended; the next attempt follows',
      ),
  });
}

/**
 * Ends the problems whose next report is overdue, in small transactions, as their sender's own resolution would.
 *
 * @returns how many were ended
 */
export async function endAllUnreported(deps: UnreportedDeps, stopping: AbortSignal): Promise<number> {
  const { database, logger, now = Date.now } = deps;
  await scanSources(deps, stopping);
  let ended = 0;
  while (!stopping.aborted) {
    const at = await now();
    const upSince = await noteRunning(database, at);
    const due = await findDue(database, at);
    if (due.length === 0) break;
    ended += await judge(deps, due, at, upSince);
    await pause(PAUSE_MS, stopping);
  }
  if (ended > 0) logger.info({ alerts: ended }, 'ended problems that their senders no longer report');
  return ended;
}

/** Since when there has been a server without a longer gap: what was to be reported before may have been missed. */
function noteRunning(database: Database, now: number): Promise<number> {
  return database.transaction(async (tx) => {
    const rows: { sinceAt: unknown; seenAt: unknown }[] = await tx.query(
      `SELECT since_at AS sinceAt, seen_at AS seenAt FROM report_watch WHERE id = ?${tx.dialect.forUpdate}`,
      [SERVERS],
    );
    const [known] = rows;
    const isGoingOn = known !== undefined && now - Number(known.seenAt) <= MAX_GAP_MS;
    const since = isGoingOn ? Number(known.sinceAt) : now;
    await writeWatch(tx, SERVERS, since, now);
    return since;
  });
}

/** A problem whose next report is overdue by what was known when it came last. */
interface DueReport {
  alertId: string;
  sourceId: string;
  /** Null where the alert is no more. */
  dedupKey: string | null;
}

/** The statement that finds what is due, the longest overdue first. */
export const DUE_SQL =
  'SELECT w.alert_id AS alertId, w.source_id AS sourceId, a.dedup_key AS dedupKey FROM awaited_reports w ' +
  `LEFT JOIN alerts a ON a.id = w.alert_id WHERE w.due_at <= ? ORDER BY w.due_at, w.alert_id LIMIT ${BATCH}`;

const findDue = ({ reads }: Database, now: number): Promise<DueReport[]> => reads.query(DUE_SQL, [now]);

async function judge(deps: UnreportedDeps, due: DueReport[], now: number, upSince: number): Promise<number> {
  const { database, sources } = deps;
  const arrivals = await readArrivals(deps, [...new Set(due.map(({ sourceId }) => sourceId))], now);
  return database.transaction(async (tx) => {
    const keys = new Map<string, Set<string>>();
    for (const { sourceId, dedupKey } of due) {
      if (dedupKey !== null) keys.set(sourceId, (keys.get(sourceId) ?? new Set()).add(dedupKey));
    }
    // A report that comes at the same moment waits for these locks, or was committed before them and is seen.
    const problems = keys.size > 0 ? await lockProblems(tx, keys) : new Map<string, never>();
    const awaited = await lockAwaited(tx, due);
    const over: string[] = [];
    const later: PutOff[] = [];
    const ended: TouchedAlert[] = [];
    for (const { alertId, sourceId, dedupKey } of due) {
      const alert = dedupKey === null ? undefined : problems.get(problemKey(sourceId, dedupKey))?.alert;
      const source = sources.get(sourceId);
      const age = source && unreportedAfter(source.settings).unreportedAfter;
      const stored = awaited.get(alertId);
      // Another alert of the problem has a row of its own.
      if (!source || age === undefined || alert?.id !== alertId || !isOpen(alert) || stored === undefined) {
        over.push(alertId);
        continue;
      }
      // It was put off since it was found: its sender is kept quiet, and says that it fires.
      if (stored.dueAt > now) continue;
      const seenAt = alert.lastSeenAt ?? alert.receivedAt;
      // An earlier release notes a report in `dueAt` alone: what was noted before it counts for it no more.
      const reportedDueAt = stored.reportedDueAt > seenAt ? stored.reportedDueAt : stored.dueAt;
      const ageMs = age === 'automatic' ? reportedDueAt - seenAt : age;
      // What flaps is judged once it is calm.
      if (isFlapping(alert)) {
        later.push([alertId, sourceId, now + RECHECK_FLAPPING_MS, reportedDueAt]);
        continue;
      }
      const { isCutOff = false, since = 0 } = arrivals.get(sourceId) ?? {};
      const dueAt = isCutOff
        ? now + (age === 'automatic' ? RECHECK_MS : age)
        : Math.max(seenAt, upSince, since) + ageMs;
      if (dueAt > now) later.push([alertId, sourceId, dueAt, reportedDueAt]);
      else ended.push(decidedByProduct(alert, placeOf(alert), endUnreported(alert, policyOf(source.settings), now)));
    }
    await writeEnded(tx, ended);
    await forgetAwaited(tx, over.concat(ended.map(({ alert }) => alert.id)));
    await postpone(tx, later);
    return ended.length;
  });
}

const isOpen = ({ status, state }: ProblemAlert): boolean =>
  status !== 'completed' && (state === 'firing' || state === 'acknowledged');

/** Whether a source's reports arrive. */
interface Arrival {
  /** It is paused, or what it sends is refused. */
  isCutOff: boolean;
  /** When it was paused or refused last, in milliseconds: what it reported before may have been missed. */
  since: number;
}

async function readArrivals(
  { database, sources, sourceStats }: UnreportedDeps,
  ids: readonly string[],
  now: number,
): Promise<Map<string, Arrival>> {
  const stats = await sourceStats.read(ids);
  const resumed: { id: string; sinceAt: unknown }[] = await database.reads.query(
    `SELECT id, since_at AS sinceAt FROM report_watch WHERE id IN (${marksOf(ids)})`,
    [...ids],
  );
  const resumedAt = new Map(resumed.map(({ id, sinceAt }) => [id, Number(sinceAt)]));
  const arrivals = new Map<string, Arrival>();
  for (const id of ids) {
    const source = sources.get(id);
    const facts = stats.get(id);
    if (!source || !facts) continue;
    const { pausedAt, pausedBy, settings } = source;
    const { recent, lastDeliveryAt, lastRefusedAt, usualGapMs } = facts;
    const { reportSilence } = settings;
    const { state } = healthOf({ pausedAt, pausedBy, reportSilence, recent, lastDeliveryAt, usualGapMs, now });
    arrivals.set(id, {
      // One refused request may be all that such a sender sends.
      isCutOff: state === 'paused' || state === 'refusing' || recent[0]?.outcome === 'refused',
      since: Math.max(resumedAt.get(id) ?? 0, lastRefusedAt ?? 0),
    });
  }
  return arrivals;
}

/** When reports are judged, and when they are due by the reports alone; 0 where an earlier release alone has stored them. */
async function lockAwaited(
  tx: Transaction,
  due: readonly DueReport[],
): Promise<Map<string, { dueAt: number; reportedDueAt: number }>> {
  const rows: { alertId: string; dueAt: unknown; reportedDueAt: unknown }[] = await tx.query(
    'SELECT alert_id AS alertId, due_at AS dueAt, reported_due_at AS reportedDueAt FROM awaited_reports ' +
      `WHERE alert_id IN (${marksOf(due)})${tx.dialect.forUpdate}`,
    due.map(({ alertId }) => alertId),
  );
  return new Map(
    rows.map((row) => [row.alertId, { dueAt: Number(row.dueAt), reportedDueAt: Number(row.reportedDueAt ?? 0) }]),
  );
}

async function forgetAwaited(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(`DELETE FROM awaited_reports WHERE alert_id IN (${marksOf(ids)})`, [...ids]);
}

type PutOff = [alertId: string, sourceId: string, dueAt: number, reportedDueAt: number];

const postpone = (tx: Transaction, rows: PutOff[]): Promise<void> =>
  tx.runRows(
    (count) => tx.dialect.upsertValues(insertSql('awaited_reports', AWAITED_COLUMNS, count), 'alert_id', DUE_COLUMNS),
    rows,
  );
