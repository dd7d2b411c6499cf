import { setTimeout as wait } from 'node:timers/promises';
import { type Notified, notifyMembers } from '#backend/alerts/notices/notice.ts';
import { randomBytes } from 'node:crypto';
import { createCountedAudit } from '#backend/identity/audit/counted-audit.ts';
import { createIsSecure } from '#backend/http/origin.ts';
import { type Heartbeats, openHeartbeats } from '#backend/intake/heartbeats/open-heartbeats.ts';
import { type FlappingRules, openFlappingRules } from '#backend/alerts/groups/flapping-rule.ts';
import { type GroupingRules, NO_GROUPING, openGroupingRules } from '#backend/alerts/groups/grouping-rules.ts';
import { type QuietWindows, openQuietWindows } from '#backend/alerts/maintenance/quiet-windows.ts';
import { type Rules, openRules } from '#backend/alerts/rules/open-rules.ts';
import { createAlertWriter } from '#backend/intake/write/alert-writer.ts';
import { findEchoes } from '#backend/outgoing/silences/find-echoes.ts';
import { createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { createMailQueue } from '#backend/platform/mail/mail-queue.ts';
import { createSecurityMails } from '#backend/identity/users/open-security-mails.ts';
import { createMemberNotices } from '#backend/alerts/commands/member-notices.ts';
import { createProviders } from '#backend/identity/oidc/providers.ts';
import { createSessionStore } from '#backend/identity/sessions/session-store.ts';
import { createApiTokens } from '#backend/identity/sessions/api-token.ts';
import { NO_DELIVERY_LOG, createDeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import { type ReadingThread, createReadingThread } from '#backend/intake/reading/reading-thread.ts';
import { createMappingThread } from '#backend/intake/reading/mapping-thread.ts';
import { openSnsClient } from '#backend/intake/sources/sns-client.ts';
import { createSourceStats } from '#backend/intake/sources/source-stats.ts';
import { openSourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { Cluster } from '#backend/platform/cluster/cluster.ts';
import type { ServerParts } from './server-parts.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { CountedAudit } from '#backend/identity/audit/counted-audit.ts';
import type { Config } from './config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';
import type { TicketReports } from '#backend/intake/webhooks/deliver.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import { reportRule } from '#backend/outgoing/messages/report-health.ts';
import { createTicketReports } from '#backend/outgoing/tickets/ticket-reports.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import type { MemberNotices } from '#backend/alerts/commands/member-notices.ts';
import type { OidcProviders } from '#backend/identity/oidc/providers.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';
import type { SessionStore } from '#backend/identity/sessions/session-store.ts';
import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { MappingThread } from '#backend/intake/reading/mapping-thread.ts';
import type { SnsClient } from '#backend/intake/sources/sns-client.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { ApiTokens } from '#backend/identity/sessions/api-token.ts';
import type { SourceStatsKeeper } from '#backend/intake/sources/source-stats.ts';
import type { Tracing } from '#backend/platform/tracing/tracing.ts';

/** What is opened once for a server and handed to its modules, each of which names what it takes. Known to `server` alone. */
export interface AppContext {
  config: Config;
  logger: Logger;
  database: Database;
  search: SearchIndex;
  events: EventBus;
  /** Notifies members of what colleagues gave them. */
  notices: MemberNotices;
  /** Writes down what people and strangers repeat as often as they like. */
  countedAudit: CountedAudit;
  metrics: Metrics;
  tracing: Tracing;
  secrets: SecretStore;
  passwords: Passwords;
  /** Mails members what happens to their accounts. */
  securityMails: SecurityMails;
  sessions: SessionStore;
  apiTokens: ApiTokens;
  /** OpenID providers that members sign in with. */
  oidc: OidcProviders;
  /** Signs CSRF tokens and device cookies. */
  sessionSecret: string;
  sources: SourceRegistry;
  /** What the delivery log knows of sources. */
  sourceStats: SourceStatsKeeper;
  /** Encrypts the signing secrets of sources, and the keys of authenticator apps. */
  sealing: Sealing;
  deliveryLog: DeliveryLog;
  /** Fetches certificates of AWS SNS, and confirms subscriptions there. */
  sns: SnsClient;
  /** Evaluates the paths of sources' mappings. */
  mappings: MappingThread;
  /** Reads large deliveries. */
  readings: ReadingThread;
  writer: AlertWriter;
  tickets: TicketReports;
  /** Maintenance windows that are on. */
  windows: QuietWindows;
  /** Rules on what arrives. */
  rules: Rules;
  /** Rules by which alerts become one card. */
  grouping: GroupingRules;
  /** The rule for problems that open and close again and again. */
  flapping: FlappingRules;
  heartbeats: Heartbeats;
  /** True when the people who use this server reach it over https. */
  isSecure(ctx: HttpContext): boolean;
  /** True from the moment at which the server begins to stop. */
  isStopping(): boolean;
}

/**
 * The pauses after a notice that the database does not take, in milliseconds: they grow, and it is tried for as long as the
 * server runs. A server that stops gives up after a few: whoever goes on from its place in the feed does it again.
 */
const RETRY_MS = 500;
const LONGEST_RETRY_MS = 10_000;
const ATTEMPTS_AT_STOP = 10;

/** What is opened before the modules are put together. */
type OpenedParts = Pick<
  AppContext,
  | 'config'
  | 'logger'
  | 'database'
  | 'events'
  | 'metrics'
  | 'tracing'
  | 'search'
  | 'secrets'
  | 'sealing'
  | 'passwords'
  | 'isStopping'
> & { cluster: Cluster };

/** Puts together what modules share. */
export async function createContext({ cluster, ...opened }: OpenedParts, parts: ServerParts): Promise<AppContext> {
  const { config, logger, database, events, metrics, tracing, secrets, sealing } = opened;
  const sourceStats = createSourceStats(database);
  const windows = await openQuietWindows({ database, events, logger });
  const grouping = await openGroupingRules({ database, logger });
  const flapping = await openFlappingRules({ database, logger });
  const rules = await openRules({
    database,
    events,
    logger,
    onSwitchedOff: (tx, rule, reason) => reportRule(tx, { windows, rules, grouping, flapping }, rule, reason),
  });
  const writer =
    parts.createWriter?.(database) ??
    createAlertWriter({
      writeBatch: createBatchWriter(database, findEchoes, { windows, rules, grouping, flapping }),
      dialect: database.dialect,
      logger,
      observer: metrics.ingest,
      tracing,
    });
  return {
    ...opened,
    notices: createMemberNotices(
      (notified) => untilTaken(() => notifyAlone(database, notified), opened),
      parts.noticesGatherMs,
    ),
    countedAudit: createCountedAudit({ database, logger }, cluster.counts),
    securityMails: createSecurityMails(createMailQueue({ config, sealing }), cluster.counts),
    sessions: createSessionStore(database, logger, config),
    apiTokens: createApiTokens(database, logger, config, cluster.counts),
    oidc: createProviders(config, logger),
    sessionSecret:
      config.sessionSecret ??
      (await secrets.getOrCreate('SESSION_SECRET', () => randomBytes(32).toString('base64url'))),
    sources: await openSourceRegistry({ database, events, logger, isShared: config.redisUrl !== undefined }),
    sourceStats,
    deliveryLog: parts.hasNoDeliveryLog
      ? NO_DELIVERY_LOG
      : createDeliveryLog({ database, events, logger, observe: metrics.droppedDeliveries, onLogged: sourceStats.add }),
    sns: openSnsClient(parts.sns),
    mappings: createMappingThread(),
    readings: createReadingThread(),
    writer,
    windows,
    rules,
    grouping,
    flapping,
    // Each heartbeat that is missed is a card of its own.
    heartbeats: await openHeartbeats({
      database,
      arrivals: { windows, rules, grouping: NO_GROUPING, flapping },
      logger,
    }),
    isSecure: createIsSecure(config),
    tickets: createTicketReports(database),
  };
}

/** Keeps a notice for a member and announces it, by itself. Like the places in the feed it does not wait for the disk. */
const notifyAlone = (database: Database, notified: Notified): Promise<void> =>
  database.transaction((tx) => notifyMembers(tx, [notified]), { waitsForDisk: false });

/** Does something again until the database takes it. */
async function untilTaken(
  work: () => Promise<void>,
  { logger, isStopping }: Pick<AppContext, 'logger' | 'isStopping'>,
): Promise<void> {
  let attemptsAtStop = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (isStopping()) attemptsAtStop += 1;
      if (attemptsAtStop >= ATTEMPTS_AT_STOP) throw error;
      logger.warn({ err: error }, 'a member could not be notified; further attempts follow');
      const pauseMs = isStopping() ? RETRY_MS : Math.min(RETRY_MS * attempt, LONGEST_RETRY_MS);
      await wait(pauseMs, undefined, { ref: false });
    }
  }
}
