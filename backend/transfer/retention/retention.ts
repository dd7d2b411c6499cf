import { marksOf } from '#backend/platform/database/conditions.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type EntityManager, In } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { TEXT_BYTES } from '#backend/alerts/lists/alert-rows.ts';
import { ALERT_PLACE, AlertEntity } from '#backend/alerts/alert/alert.ts';
import type { Archive, WrittenAlerts } from './archive.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { transactKnowingly } from '#backend/platform/database/lost-commit.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import { type ObserveDeleted, UNOBSERVED } from '#backend/platform/metrics/observers.ts';

/** A completed alert that may be old enough to be deleted. */
interface Candidate {
  id: string;
  /** Of its texts, roughly. */
  bytes: number;
}

/** Completed alerts that were received before a moment, oldest first. `after` is the last id that was looked at. */
async function findCandidates(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  after: string,
  before: number,
): Promise<Candidate[]> {
  const isOld = inRange(await idsBetween(reads, { to: before }), 'id', 'received_at');
  const rows: { id: string; bytes: unknown }[] = await reads.query(
    `SELECT id, ${TEXT_BYTES} AS bytes FROM alerts ${dialect.byIndex('alerts_by_status')} ` +
      `WHERE status = 'completed' AND id > ? AND ${isOld.sql} ORDER BY id LIMIT ${BATCH_ALERTS}`,
    [after, ...isOld.values],
  );
  return rows.map(({ id, bytes }) => ({ id, bytes: Number(bytes) }));
}

/** As many ids as one transaction takes, at least one. */
function cutBatch(candidates: readonly Candidate[]): string[] {
  let bytes = 0;
  const end = candidates.findIndex((candidate, at) => {
    bytes += candidate.bytes;
    return at > 0 && bytes > BATCH_BYTES;
  });
  return candidates.slice(0, end === -1 ? undefined : end).map(({ id }) => id);
}

/** Those whose history ends before a moment. */
async function findUntouched(manager: EntityManager, ids: readonly string[], before: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const touched: { id: string }[] = await manager.query(
    `SELECT DISTINCT alert_id AS id FROM alert_history WHERE alert_id IN (${marksOf(ids)}) AND created_at >= ?`,
    [...ids, before],
  );
  const young = new Set(touched.map(({ id }) => id));
  return ids.filter((id) => !young.has(id));
}

/**
 * Deletes those of the alerts that are completed and had their last change before a moment, with their history.
 *
 * @param written the same alerts in the archive, where there is one
 * @returns the ids of the deleted; undefined, and nothing is deleted, when they are not as they were written
 */
async function deleteOldAlerts(
  tx: Transaction,
  ids: readonly string[],
  before: number,
  written?: WrittenAlerts,
): Promise<string[] | undefined> {
  // Locked first, so that nobody opens one of them again between the look at it and its end.
  const alerts = await tx.lockRows(AlertEntity, { id: In(ids) }, ALERT_PLACE);
  const completed = new Map(alerts.filter(({ status }) => status === 'completed').map((alert) => [alert.id, alert]));
  const gone = await findUntouched(tx, [...completed.keys()], before);
  if (written && !(await written.note(tx, gone))) return undefined;
  if (gone.length === 0) return [];
  await tx.query(`DELETE FROM alert_history WHERE alert_id IN (${marksOf(gone)})`, gone);
  await tx.query(`DELETE FROM alerts WHERE id IN (${marksOf(gone)})`, gone);
  await tx.query(`DELETE FROM alert_notes WHERE alert_id IN (${marksOf(gone)})`, gone);
  await tx.query(`DELETE FROM problems WHERE alert_id IN (${marksOf(gone)})`, gone);
  await countChanges(
    tx,
    gone.flatMap((id) => completed.get(id) ?? []).map((alert) => ({ before: alert })),
  );
  return gone;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Alerts, and bytes of them, that one transaction deletes at most: on SQLite nobody else writes meanwhile. */
export const BATCH_ALERTS = 100;
const BATCH_BYTES = 2 * 1024 * 1024;

/** The pause after each, in milliseconds, and longer where it took long: a quarter of the time is enough for retention. */
const PAUSE_MS = 20;
const REST_PER_WORK = 3;

/** How often alerts that change while they are archived are written. The next sweep finds what is left. */
const MAX_ATTEMPTS = 3;

/** As many deleted alerts as one entry of the audit trail counts at most, about. */
const ENTRY_ALERTS = 10_000;

/** Who deletes, in the audit trail. */
const AUTHOR = { id: null, name: 'retention', ip: null } as const;

/** What decides which alerts go, and when. */
export interface RetentionDeps {
  database: Database;
  logger: Logger;

  /** Completed alerts go so many days after their last change (RETENTION_DAYS). */
  days: number;
  /** Where they are kept; undefined for nowhere. */
  archive?: Archive | undefined;
  observe?: ObserveDeleted;
  /** By which time alerts are old. */
  now?: () => number | Promise<number>;
  intervalMs?: number;
}

/** Deletes old alerts at once and then every hour, until it is stopped. */
export function startRetention(deps: RetentionDeps): Repeating {
  const { logger, intervalMs = INTERVAL_MS } = deps;
  return startRepeating((stopping) => sweep(deps, stopping), {
    intervalMs,
    onError: (error) => logger.error({ err: error }, 'old alerts could not be deleted; the next attempt follows'),
  });
}

/**
 * Deletes every alert that is completed and had its last change `days` ago or more, with its history, in small
 * transactions, after it was written to the archive. Members are notified after each. The audit trail says how many, in
 * entries that are never changed: the first transaction writes one, and then each that makes {@link ENTRY_ALERTS} full, and
 * the sweep's end. A server that is killed leaves fewer than that out.
 *
 * @returns how many were deleted
 */
export async function sweep(deps: RetentionDeps, stopping: AbortSignal): Promise<number> {
  const { database, logger, days, archive, observe = UNOBSERVED.deleted, now = Date.now } = deps;
  const before = (await now()) - days * DAY_MS;
  let deleted = 0;
  let uncounted: number | undefined;
  let after = '';
  let attempts = 0;
  await archive?.recover();
  const rest = (since: number) => pause(Math.max(PAUSE_MS, (performance.now() - since) * REST_PER_WORK), stopping);
  try {
    while (!stopping.aborted) {
      const beganAt = performance.now();
      const ids = cutBatch(await findCandidates(database, after, before));
      const last = ids.at(-1);
      if (last === undefined) break;
      // Looked at without a lock first: completed alerts that are old and were touched lately stay, however often this looks.
      const old = await findUntouched(database.reads, ids, before);
      if (old.length === 0) {
        after = last;
        await rest(beganAt);
        continue;
      }
      const written = await archive?.write(old);
      const work = async (tx: Transaction) => {
        const gone = await deleteOldAlerts(tx, old, before, written);
        if (gone === undefined || gone.length === 0) return { gone, uncounted };
        announce(tx, ...gone.map((alertId) => ({ type: 'alert_deleted', alertId }) as const));
        const alerts = (uncounted ?? 0) + gone.length;
        if (uncounted !== undefined && alerts < ENTRY_ALERTS) return { gone, uncounted: alerts };
        await addAudit(tx, AUTHOR, 'alerts_expired', describe(alerts, before));
        return { gone, uncounted: 0 };
      };
      const batch: Batch = await transactKnowingly(database, work, isDeleted, stopping);
      uncounted = batch.uncounted;
      const gone = batch.gone ?? [];
      deleted += gone.length;
      if (gone.length > 0) observe(gone.length);
      attempts = batch.gone === undefined ? attempts + 1 : 0;
      if (attempts % MAX_ATTEMPTS === 0) after = last;
      await rest(beganAt);
    }
  } finally {
    // Also where an error ends it: what was deleted is gone.
    if (uncounted) {
      const subject = describe(uncounted, before);
      await database
        .transaction((tx) => addAudit(tx, AUTHOR, 'alerts_expired', subject))
        .catch((error: unknown) => logger.error({ err: error, subject }, 'deleted alerts are not in the audit trail'));
    }
    if (deleted > 0) logger.info({ alerts: deleted, days }, 'deleted old completed alerts');
  }
  return deleted;
}

/** What one transaction deleted; `uncounted` are those that no entry of the audit trail counts yet. */
interface Batch {
  gone: string[] | undefined;
  uncounted: number | undefined;
}

async function isDeleted(tx: Transaction, { gone = [] }: Batch): Promise<boolean> {
  return (await tx.lockRows(AlertEntity, { id: In(gone) }, ['id'])).length < gone.length;
}

const describe = (alerts: number, before: number): string =>
  `${alerts} completed ${alerts === 1 ? 'alert' : 'alerts'} without a change since ${new Date(before).toISOString()}`;
