import { addAudit, changeAuditSubject } from '#backend/audit/audit-log.ts';
import type { Database } from '#backend/database/database.ts';
import { type Repeating, pause, startRepeating } from '#backend/database/repeat.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import type { Logger } from '#backend/logger.ts';
import { type ObserveDeleted, UNOBSERVED } from '#backend/metrics/observers.ts';
import { deleteOldAlerts, findOldAlerts } from './old-alerts.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const INTERVAL_MS = 60 * 60 * 1000;

/** Alerts that one transaction deletes at most, and the pause after it: ingest goes between. */
export const BATCH_ALERTS = 200;
const PAUSE_MS = 20;

/** Who deletes, in the audit trail. */
const AUTHOR = { id: null, name: 'retention', ip: null } as const;

/** What deleting old alerts needs. */
export interface RetentionNeeds {
  database: Database;
  events: EventBus;
  logger: Logger;
  /** Completed alerts go so many days after their last change (RETENTION_DAYS). */
  days: number;
  observe?: ObserveDeleted;
  now?: () => number;
  intervalMs?: number;
}

/** Deletes old alerts at once and then every hour, until it is stopped. */
export function startRetention(needs: RetentionNeeds): Repeating {
  const { logger, intervalMs = INTERVAL_MS } = needs;
  return startRepeating((stopping) => sweep(needs, stopping), {
    intervalMs,
    onError: (error) => logger.error({ err: error }, 'old alerts could not be deleted; the next attempt follows'),
  });
}

/**
 * Deletes every alert that is completed and had its last change `days` ago or more, with its history, in small
 * transactions. Members are told after each; the audit trail says how many in each of them, in one entry.
 *
 * @returns how many were deleted
 */
export async function sweep(needs: RetentionNeeds, stopping: AbortSignal): Promise<number> {
  const { database, events, logger, days, observe = UNOBSERVED.deleted, now = Date.now } = needs;
  const before = now() - days * DAY_MS;
  let deleted = 0;
  let auditId: string | undefined;
  let after = '';
  while (!stopping.aborted) {
    const ids = await findOldAlerts(database.reads, database.dialect, { after, before, limit: BATCH_ALERTS });
    const last = ids.at(-1);
    if (last === undefined) break;
    const batch = await database.transaction(async (tx) => {
      const gone = await deleteOldAlerts(tx, database.dialect, ids, before);
      if (gone.length === 0) return { gone, auditId };
      const subject = describe(deleted + gone.length, before);
      if (auditId === undefined) return { gone, auditId: await addAudit(tx, AUTHOR, 'alerts_expired', subject) };
      await changeAuditSubject(tx, auditId, subject);
      return { gone, auditId };
    });
    auditId = batch.auditId;
    deleted += batch.gone.length;
    observe(batch.gone.length);
    for (const alertId of batch.gone) events.publish({ type: 'alert_deleted', alertId });
    after = last;
    await pause(PAUSE_MS, stopping);
  }
  if (deleted > 0) logger.info({ alerts: deleted, days }, 'deleted old completed alerts');
  return deleted;
}

const describe = (alerts: number, before: number): string =>
  `${alerts} completed ${alerts === 1 ? 'alert' : 'alerts'} without a change since ${new Date(before).toISOString()}`;
