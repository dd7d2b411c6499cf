import { LINK_PRUNE_MS, pruneLinks } from './accounts/account-link.ts';
import { startReturns } from './alerts/forgotten.ts';
import { startMerging } from './alerts/merge-counts.ts';
import { openArchive } from './alerts/archive.ts';
import { startRetention } from './alerts/retention.ts';
import { startWaking } from './alerts/waking.ts';
import { AUDIT_PRUNE_MS, pruneAudit } from './audit/audit-log.ts';
import { DENIAL_FLUSH_MS, type DenialLog } from './audit/denial-log.ts';
import { type LeadershipDeps, lead } from './cluster/leadership.ts';
import type { AppContext } from './context.ts';
import { type Repeating, startRepeating } from './database/repeat.ts';
import { DELIVERY_CLEANUP_MS, forgetDeliveries } from './ingest/deliveries.ts';
import type { InsightKeeper } from './insight/insight.ts';
import { startDigests } from './mail/digests.ts';
import { startSending } from './mail/mail-queue.ts';
import { createMailTransport } from './mail/mail-transport.ts';
import { startNameExpiry } from './mutes/expire-names.ts';
import { DELIVERY_PRUNE_MS, pruneDeliveries } from './sources/prune-deliveries.ts';

/** The lease of what one of all servers does. */
export const BACKGROUND_LEASE = 'background';

interface BackgroundDeps
  extends
    LeadershipDeps,
    Pick<AppContext, 'config' | 'database' | 'events' | 'logger' | 'metrics' | 'sealing' | 'sources'> {
  insight: Pick<InsightKeeper, 'keep'>;
}

/**
 * Starts what runs again and again beside the requests. Of several servers on one database one deletes what is too old,
 * wakes snoozed alerts, returns forgotten ones, sends mails and keeps insight; each counts the requests that it refused.
 */
export async function startBackgroundJobs(deps: BackgroundDeps, denials: DenialLog): Promise<Repeating[]> {
  const { logger } = deps;
  return [
    startRepeating(() => denials.flush(), {
      intervalMs: DENIAL_FLUSH_MS,
      onError: (error) => logger.error({ err: error }, 'denials could not be counted; the next attempt follows'),
    }),
    await lead(deps, BACKGROUND_LEASE, (database) => startLedJobs({ ...deps, database })),
  ];
}

/** @param deps with a database whose transactions hold the lease. */
function startLedJobs(deps: BackgroundDeps): Repeating[] {
  const { config, database, events, logger, metrics, sealing, sources, insight } = deps;
  const jobs = [
    startRepeating((stopping) => forgetDeliveries(database, stopping), {
      intervalMs: DELIVERY_CLEANUP_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old idempotency keys could not be deleted; the next attempt follows'),
    }),
    startRepeating((stopping) => pruneDeliveries({ database, sources, maxBytes: config.deliveryLogBytes }, stopping), {
      intervalMs: DELIVERY_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'the delivery log could not be pruned; the next attempt follows'),
    }),
    startRepeating((stopping) => pruneLinks(database, stopping), {
      intervalMs: LINK_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'links that ran out could not be deleted; the next attempt follows'),
    }),
    startNameExpiry({ database, logger, days: config.nameRetentionDays }),
    startWaking({ database, events, logger }),
    startReturns({ database, events, logger, hours: config.forgottenHours }),
    insight.keep(),
  ];
  if (database.dialect.name === 'mysql') jobs.push(startMerging({ database, logger }));
  const { auditRetentionDays } = config;
  if (auditRetentionDays !== undefined) {
    jobs.push(
      startRepeating((stopping) => pruneAudit(database, auditRetentionDays, stopping), {
        intervalMs: AUDIT_PRUNE_MS,
        onError: (error) =>
          logger.error({ err: error }, 'the audit trail could not be pruned; the next attempt follows'),
      }),
    );
  }
  if (config.mail) {
    jobs.push(startSending({ database, logger, sealing, transport: createMailTransport(config.mail) }));
    jobs.push(startDigests({ config, database, logger, sealing }));
  }
  if (config.retentionDays !== undefined) {
    const archive = config.archiveDir === undefined ? undefined : openArchive(config.archiveDir, deps);
    const { retentionDays: days } = config;
    jobs.push(startRetention({ database, events, logger, days, archive, observe: metrics.deleted }));
  }
  return jobs;
}
