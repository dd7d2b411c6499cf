import { LINK_PRUNE_MS, pruneLinks } from '#backend/identity/users/account-link.ts';
import { startReturns } from '#backend/alerts/commands/forgotten.ts';
import { startTitling } from '#backend/intake/webhooks/title-backfill.ts';
import { startCalming } from '#backend/intake/webhooks/calm-down.ts';
import { startEndingUnreported } from '#backend/intake/webhooks/unreported.ts';
import { startMerging } from '#backend/alerts/lists/merge-counts.ts';
import { openArchive } from '#backend/transfer/retention/archive.ts';
import { startRetention } from '#backend/transfer/retention/retention.ts';
import { GROUP_PRUNE_MS, pruneGroups } from '#backend/alerts/groups/prune-groups.ts';
import { WINDOW_PRUNE_MS, pruneOccurrences, startWindows } from '#backend/alerts/maintenance/run-windows.ts';
import { RULE_HITS_PRUNE_MS, pruneRuleHits } from '#backend/alerts/rules/rule-hits.ts';
import { HITS_PRUNE_MS, pruneInsightHits } from '#backend/alerts/insight/rule-hits.ts';
import { DOWNTIME_PRUNE_MS, pruneDowntimes } from '#backend/intake/heartbeats/watch-servers.ts';
import { startWaking } from '#backend/alerts/commands/waking.ts';
import { NOTICE_PRUNE_MS, pruneNotices } from '#backend/alerts/notices/notice.ts';
import { deleteHistoryBefore } from '#backend/alerts/alert/history.ts';
import { createIsChosen } from '#backend/outgoing/mails/unsubscribe.ts';
import { createMailSubjects } from '#backend/identity/users/account-link.ts';
import { AUDIT_PRUNE_MS, pruneAudit } from '#backend/identity/audit/audit-log.ts';
import { COUNTED_FLUSH_MS } from '#backend/identity/audit/counted-audit.ts';
import { type Beginning, type LeadershipDeps, lead } from '#backend/platform/cluster/leadership.ts';
import type { AppContext } from './context.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import { createSteadyClock } from '#backend/platform/database/steady-clock.ts';
import { STORED } from './entities.ts';
import { watchIds } from '#backend/platform/database/id-times.ts';
import { newestStoredId } from '#backend/platform/database/ids.ts';
import { pruneBrowsers } from '#backend/identity/factors/remembered-browsers.ts';
import { removeOrphans } from '#backend/outgoing/push/push-subscriptions.ts';
import { SESSION_PRUNE_MS, pruneSessions } from '#backend/identity/sessions/surplus-sessions.ts';
import { DELETED_FOLDERS_MS, finishDeletions } from '#backend/alerts/folders/folder-commands.ts';
import { DELIVERY_CLEANUP_MS, forgetDeliveries } from '#backend/intake/write/deliveries.ts';
import type { InsightKeeper } from '#backend/alerts/insight/insight.ts';
import { THREAD_PRUNE_MS, forgetThreads } from '#backend/intake/mail/mail-threads.ts';
import type { Heartbeats } from '#backend/intake/heartbeats/open-heartbeats.ts';
import type { Outgoing } from '#backend/outgoing/open-outgoing.ts';
import { startDigests } from '#backend/outgoing/mails/digests.ts';
import { startSending } from '#backend/platform/mail/mail-queue.ts';
import { createMailTransport } from '#backend/platform/mail/mail-transport.ts';
import type { FeedConsumers } from '#backend/platform/feed/feed-consumers.ts';
import { FEED_PRUNE_MS, pruneFeed } from '#backend/platform/feed/prune-feed.ts';
import { startNameExpiry } from '#backend/alerts/mutes/expire-names.ts';
import {
  DELIVERY_PRUNE_MS,
  DELIVERY_SIZE_MS,
  limitDeliveries,
  pruneDeliveries,
} from '#backend/intake/delivery-log/prune-deliveries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The lease of what one of all servers does. */
export const BACKGROUND_LEASE = 'background';

interface BackgroundDeps
  extends
    LeadershipDeps,
    Pick<
      AppContext,
      | 'config'
      | 'countedAudit'
      | 'database'
      | 'events'
      | 'flapping'
      | 'logger'
      | 'metrics'
      | 'sealing'
      | 'search'
      | 'sources'
      | 'sourceStats'
    > {
  insight: Pick<InsightKeeper, 'keep'>;
  consumers: Pick<FeedConsumers, 'takeOver'>;
  heartbeats: Pick<Heartbeats, 'watch' | 'lead'>;
  outgoing: Pick<Outgoing, 'lead'>;
  /** This server's number among the feed's writers. */
  writer: number;
}

/**
 * Starts what runs again and again beside the requests. Of several servers on one database one deletes what is too old,
 * wakes snoozed alerts, begins and ends maintenance windows, returns forgotten ones, ends problems that are no longer reported and what flapped and is calm, gives stored alerts their titles, sends mails and keeps insight; each counts the requests that it refused, and
 * keeps its ids in one order with those of the others.
 */
export async function startBackgroundJobs(deps: BackgroundDeps): Promise<Repeating[]> {
  const { countedAudit, database, logger } = deps;
  // The embedded database has one server, which knows its own ids.
  const newestOfOthers = async () =>
    database.dialect.name === 'mysql' ? newestStoredId(database.reads, STORED.withIds) : undefined;
  return [
    watchIds(database, newestOfOthers, {
      onAhead: (aheadMs) =>
        logger.warn({ aheadMs }, 'ids are ahead of the clock: it was set back, or clocks of servers differ'),
      onError: (error) =>
        logger.error({ err: error }, 'ids could not be compared with the clock; the next attempt follows'),
    }),
    startRepeating(() => countedAudit.flush(), {
      intervalMs: COUNTED_FLUSH_MS,
      onError: (error) => logger.error({ err: error }, 'refused calls could not be counted; the next attempt follows'),
    }),
    deps.heartbeats.watch(),
    await lead(deps, BACKGROUND_LEASE, (fenced, beginning) => startLedJobs({ ...deps, database: fenced }, beginning)),
  ];
}

/** @param deps with a database whose transactions hold the lease. */
function startLedJobs(deps: BackgroundDeps, beginning: Beginning): Repeating[] {
  const { config, database, events, logger, metrics, sealing, sources, insight } = deps;
  const maxBytes = config.deliveryLogBytes;
  const onPruneError = (error: unknown) =>
    logger.error({ err: error }, 'the delivery log could not be pruned; the next attempt follows');
  // What is deleted by its age is so by a clock that no jump can hurry.
  const clock = createSteadyClock(database);
  const jobs = [
    startRepeating(
      async (stopping) => {
        await pruneSessions(database, stopping, await clock.now());
        await pruneBrowsers(database, stopping, await clock.now());
        await removeOrphans(database);
      },
      {
        intervalMs: SESSION_PRUNE_MS,
        onError: (error) => logger.error({ err: error }, 'old sessions could not be deleted; the next attempt follows'),
      },
    ),
    startRepeating(async (stopping) => forgetDeliveries(database, stopping, await clock.now()), {
      intervalMs: DELIVERY_CLEANUP_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old idempotency keys could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneDeliveries({ database, sources, maxBytes }, stopping, await clock.now()), {
      intervalMs: DELIVERY_PRUNE_MS,
      onError: onPruneError,
    }),
    startRepeating((stopping) => limitDeliveries({ database, maxBytes }, stopping), {
      intervalMs: DELIVERY_SIZE_MS,
      onError: onPruneError,
    }),
    startRepeating(async (stopping) => pruneLinks(database, stopping, await clock.now()), {
      intervalMs: LINK_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'links that ran out could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => forgetThreads(database, stopping, await clock.now()), {
      intervalMs: THREAD_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old threads of emails could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneNotices(database, stopping, await clock.now()), {
      intervalMs: NOTICE_PRUNE_MS,
      onError: (error) => logger.error({ err: error }, 'old notices could not be deleted; the next attempt follows'),
    }),
    startRepeating((stopping) => finishDeletions({ database }, stopping), {
      intervalMs: DELETED_FOLDERS_MS,
      onError: (error) =>
        logger.error({ err: error }, 'the deletion of a folder could not be finished; the next attempt follows'),
    }),
    deps.consumers.takeOver(database),
    deps.heartbeats.lead(database),
    deps.outgoing.lead(database, clock.now, beginning),
    startRepeating(async (stopping) => pruneFeed(database, deps.writer, stopping, await clock.now()), {
      intervalMs: FEED_PRUNE_MS,
      onError: (error) => logger.error({ err: error }, 'old changes could not be deleted; the next attempt follows'),
    }),
    startNameExpiry({ database, logger, days: config.nameRetentionDays, now: clock.now }),
    startWaking({ database, events, logger }),
    startWindows({ database, events, logger, search: deps.search }),
    startRepeating(async (stopping) => pruneOccurrences(database, stopping, await clock.now()), {
      intervalMs: WINDOW_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old maintenance windows could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneRuleHits(database, stopping, await clock.now()), {
      intervalMs: RULE_HITS_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old hits of rules could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneGroups(database, stopping, await clock.now()), {
      intervalMs: GROUP_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'groups without alerts could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneInsightHits(database, stopping, await clock.now()), {
      intervalMs: HITS_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'hits of rules on old alerts could not be deleted; the next attempt follows'),
    }),
    startRepeating(async (stopping) => pruneDowntimes(database, stopping, await clock.now()), {
      intervalMs: DOWNTIME_PRUNE_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old times without a server could not be deleted; the next attempt follows'),
    }),
    startTitling({ database, logger }),
    startEndingUnreported({ database, logger, sources, sourceStats: deps.sourceStats, now: clock.now }),
    startCalming({ database, logger, sources, flapping: deps.flapping, now: clock.now }),
    startReturns({ database, events, logger, hours: config.forgottenHours, now: clock.now }),
    insight.keep(),
  ];
  if (database.dialect.name === 'mysql') jobs.push(startMerging({ database, logger }));
  const { auditRetentionDays } = config;
  if (auditRetentionDays !== undefined) {
    jobs.push(
      startRepeating(
        async (stopping) => {
          const before = (await clock.now()) - auditRetentionDays * DAY_MS;
          await pruneAudit(database, before, stopping);
          await deleteHistoryBefore(database, before, stopping);
        },
        {
          intervalMs: AUDIT_PRUNE_MS,
          onError: (error) =>
            logger.error({ err: error }, 'the audit trail could not be pruned; the next attempt follows'),
        },
      ),
    );
  }
  if (config.mail) {
    const transport = createMailTransport(config.mail);
    jobs.push(
      startSending({
        database,
        logger,
        sealing,
        transport,
        subjects: { ...createMailSubjects(database), isChosen: createIsChosen(database) },
        steadyNow: clock.now,
      }),
    );
    jobs.push(startDigests({ config, database, logger, sealing }));
  }
  if (config.retentionDays !== undefined) {
    const archive = config.archiveDir === undefined ? undefined : openArchive(config.archiveDir, deps);
    const { retentionDays: days } = config;
    jobs.push(startRetention({ database, logger, days, archive, observe: metrics.deleted, now: clock.now }));
  }
  return jobs;
}
