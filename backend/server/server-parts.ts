import type { Middleware } from 'koa';
import type { FirstAdmin } from '#backend/identity/users/first-admin.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { OnMigrated } from '#backend/platform/database/migrate.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import type { AnswerLimits } from '#backend/http/answer-limits.ts';
import type { HttpLimits } from '#backend/http/http-server.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { InsightKeeper } from '#backend/alerts/insight/insight.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import type { OutgoingParts } from '#backend/outgoing/open-outgoing.ts';
import type { PushParts } from '#backend/outgoing/push/open-push.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { MailInParts } from '#backend/intake/mail/mail-listener.ts';
import type { SnsParts } from '#backend/intake/sources/sns-client.ts';

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached, e.g. `http://127.0.0.1:4400`. */
  url: string;
  /** Who was created as first administrator at this start, if anybody. */
  firstAdmin: FirstAdmin | undefined;
  /** Opens the sign-in page's panel with the generated password, while that may be offered. */
  setupToken: string | undefined;
  database: Database;
  search: SearchIndex;
  insight: InsightKeeper;
  /** Every call of the API, as declared: what the policy tests enumerate. */
  endpoints: readonly Endpoint[];
  metrics: Metrics;
  /** Where emails are received; undefined while they are not. */
  mailPort: number | undefined;
  /**
   * Stops taking alerts, commits what was taken, says goodbye to live clients, closes the database.
   *
   * @param options.isReplaced another process already has the port, so `/readyz` does not send requests elsewhere.
   */
  stop(options?: { isReplaced?: boolean }): Promise<void>;
}

/** What a caller may put in the place of the product's own parts: development, benches and tests do. */
export interface ServerParts {
  /** Serves the web app; default: the build. */
  webApp?: Middleware;
  /** MySQL is waited for as commands do it (docs/decisions/0027-hanging-database.md); default: a server's limits. */
  isDatabasePatient?: boolean;
  /** bcrypt's work factor. */
  passwordCost?: number;
  /** Stores alerts; default: group commit. */
  createWriter?: (database: Database) => AlertWriter;
  /** Keeps no delivery log. Only for measuring what it costs. */
  hasNoDeliveryLog?: boolean;
  /** How old alerts on MySQL are before they are indexed for search; default: as in production. */
  indexedAfterMs?: number;
  /**
   * Works beside other servers on one MySQL database, although they report their changes to nobody. Only for tests of what
   * the database decides between them.
   */
  isOneOfSeveral?: boolean;
  /** How long a server leads the background jobs after it was last heard of, in milliseconds; default: as in production. */
  leaseMs?: number;
  /** Alerts that are counted in one step for views; default: as in production. */
  alertsPerStretch?: number;
  /** How many lists are answered at once, and how long others wait; default: as in production. */
  answerLimits?: AnswerLimits;
  /** How long clients may take; default: as in production. */
  httpLimits?: HttpLimits;
  /** The text of `/metrics`; default: what this server counts. */
  scrape?: () => Promise<string>;
  /** Receives how many steps of an update of older tables are done, from 0 on. */
  onMigrated?: OnMigrated;
  /** How long a notice to a member waits for further ones, in milliseconds; default: as in production. */
  noticesGatherMs?: number;
  /** What stands for the internet in web push. */
  push?: PushParts;
  /** How emails are received in tests: port, name servers, time limits. */
  mailIn?: MailInParts;
  /** What stands for the internet where alerts are sent out. */
  outgoing?: OutgoingParts;
  /** What stands for the internet where subscriptions of AWS SNS are confirmed. */
  sns?: SnsParts;
}
