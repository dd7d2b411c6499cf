import { randomBytes } from 'node:crypto';
import { createCountedAudit } from './audit/counted-audit.ts';
import { createIsSecure } from './http/origin.ts';
import { createAlertWriter } from './ingest/alert-writer.ts';
import { createBatchWriter } from './ingest/write-batch.ts';
import { createMailQueue } from './mail/mail-queue.ts';
import { createSecurityMails } from './mail/open-security-mails.ts';
import { createMemberNotices } from './notifications/member-notices.ts';
import { createProviders } from './oidc/providers.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createApiTokens } from './tokens/api-token.ts';
import { NO_DELIVERY_LOG, createDeliveryLog } from './sources/delivery-log.ts';
import { createMappingThread } from './sources/reading/mapping-thread.ts';
import { openSnsClient } from './sources/sns-client.ts';
import { createSourceStats } from './sources/source-stats.ts';
import { openSourceRegistry } from './sources/source-registry.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { ServerParts } from './server-parts.ts';
import type { Passwords } from './accounts/passwords.ts';
import type { CountedAudit } from './audit/counted-audit.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { HttpContext } from './endpoint/read-request.ts';
import type { AlertWriter } from './ingest/alert-writer.ts';
import type { EventBus } from './live/event-bus.ts';
import type { Logger } from './logger.ts';
import type { SecurityMails } from './mail/security-mails.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { MemberNotices } from './notifications/member-notices.ts';
import type { OidcProviders } from './oidc/providers.ts';
import type { SearchIndex } from './search/search-index.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import type { SessionStore } from './sessions/session-store.ts';
import type { DeliveryLog } from './sources/delivery-log.ts';
import type { Sealing } from './sources/sealing.ts';
import type { MappingThread } from './sources/reading/mapping-thread.ts';
import type { SnsClient } from './sources/sns-client.ts';
import type { SourceRegistry } from './sources/source-registry.ts';
import type { ApiTokens } from './tokens/api-token.ts';
import type { SourceStatsKeeper } from './sources/source-stats.ts';
import type { Tracing } from './tracing/tracing.ts';

/**
 * What the modules of one server share. `server.ts` makes it; a function takes the part that it uses, such as
 * `Pick<AppContext, 'database' | 'events'>`. The modules named here must not import this file.
 */
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
  writer: AlertWriter;
  /** True when the people who use this server reach it over https. */
  isSecure(ctx: HttpContext): boolean;
  /** True from the moment at which the server begins to stop. */
  isStopping(): boolean;
}

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
  return {
    ...opened,
    notices: createMemberNotices(events),
    countedAudit: createCountedAudit({ database, logger }, cluster.counts),
    securityMails: createSecurityMails(createMailQueue({ config, sealing }), cluster.counts),
    sessions: createSessionStore(database, logger, config),
    apiTokens: createApiTokens(database, logger, cluster.counts),
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
    writer:
      parts.createWriter?.(database, events) ??
      createAlertWriter({
        writeBatch: createBatchWriter(database),
        dialect: database.dialect,
        events,
        logger,
        observer: metrics.ingest,
        tracing,
      }),
    isSecure: createIsSecure(config),
  };
}
