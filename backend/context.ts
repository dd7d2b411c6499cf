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
