import { startReturns } from './alerts/forgotten.ts';
import { startRetention } from './alerts/retention.ts';
import { AUDIT_PRUNE_MS, pruneAudit } from './audit/audit-log.ts';
import { DENIAL_FLUSH_MS, type DenialLog } from './audit/denial-log.ts';
import type { AppContext } from './context.ts';
import { type Repeating, startRepeating } from './database/repeat.ts';
import { DELIVERY_CLEANUP_MS, forgetDeliveries } from './ingest/deliveries.ts';
import { startWaking } from './alerts/waking.ts';
import { startNameExpiry } from './mutes/expire-names.ts';
import { DELIVERY_PRUNE_MS, pruneDeliveries } from './sources/prune-deliveries.ts';

/**
 * Starts what runs again and again beside the requests: deleting what is too old, counting refused requests, waking
 * snoozed alerts, returning forgotten ones.
 */
export function startBackgroundJobs(
  {
    config,
    database,
    events,
    logger,
    metrics,
    sources,
  }: Pick<AppContext, 'config' | 'database' | 'events' | 'logger' | 'metrics' | 'sources'>,
  denials: DenialLog,
): Repeating[] {
  const jobs = [
    startRepeating((stopping) => forgetDeliveries(database, stopping), {
      intervalMs: DELIVERY_CLEANUP_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old idempotency keys could not be deleted; the next attempt follows'),
    }),
    startRepeating((stopping) => pruneAudit(database, config.auditRetentionDays, stopping), {
      intervalMs: AUDIT_PRUNE_MS,
      onError: (error) => logger.error({ err: error }, 'the audit trail could not be pruned; the next attempt follows'),
    }),
    startRepeating((stopping) => pruneDeliveries({ database, sources, maxBytes: config.deliveryLogBytes }, stopping), {
      intervalMs: DELIVERY_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'the delivery log could not be pruned; the next attempt follows'),
    }),
    startRepeating(denials.flush, {
      intervalMs: DENIAL_FLUSH_MS,
      onError: (error) => logger.error({ err: error }, 'denials could not be counted; the next attempt follows'),
    }),
    startNameExpiry({ database, logger, days: config.nameRetentionDays }),
    startWaking({ database, events, logger }),
    startReturns({ database, events, logger, hours: config.forgottenHours }),
  ];
  if (config.retentionDays !== undefined) {
    jobs.push(startRetention({ database, events, logger, days: config.retentionDays, observe: metrics.deleted }));
  }
  return jobs;
}
