import type { Database } from '#backend/platform/database/database.ts';
import type { HttpConfig } from './http-config.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import { type Endpoint, endpoint, ok, okText } from '#backend/platform/endpoint/endpoint.ts';
import { databaseDamaged, unavailable, notAllowed, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { healthSchema, readinessSchema } from '#backend/contract/health.ts';
import { type Latency, type LatencyFigures, latencySchema } from '#backend/contract/latency.ts';
import { PRODUCT_NAME, PRODUCT_VERSION, type Product, productSchema } from '#backend/contract/product.ts';
import { isLoopbackUrl } from '#backend/identity/users/identity-config.ts';
import { RECENT_MS, type RecentDurations } from '#backend/platform/metrics/live-latency.ts';
import { isSameSecret } from '#backend/identity/users/session-tokens.ts';
import { LOOPBACK_NAMES } from './origin.ts';

/**
 * Is the process alive, and can it do its work? Both without sign-in, because probes have no session.
 *
 * @param deps.isLeaving whether requests should go to other servers, because this one stops
 */
export function healthRoutes({
  database,
  isLeaving,
}: { database: Database } & { isLeaving: () => boolean }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/healthz',
      tag: 'server',
      summary: 'Reports that the process is alive.',
      access: 'anyone',
      responses: { 200: healthSchema },
      handle: async () => ok({ product: PRODUCT_NAME, version: PRODUCT_VERSION, status: 'ok' }),
    }),
    endpoint({
      method: 'GET',
      path: '/readyz',
      tag: 'server',
      summary: 'Reports that the server can do its work: the database answers and no damage was found.',
      access: 'anyone',
      responses: { 200: readinessSchema },
      handle: async () => {
        if (isLeaving()) throw unavailable('The server is stopping.', 5);
        const state = await database.check();
        if (state === 'damaged') throw databaseDamaged();
        if (state === 'unreachable') throw unavailable('The database is not available.', 5);
        return ok({ status: 'ready' });
      },
    }),
  ];
}

/**
 * Name, version and links of the server, for About and Settings. Signed-in members only: the links may
 * name hosts of an inner network.
 */
export function productRoutes({ config: { releasesUrl, sourceUrl } }: { config: HttpConfig }): Endpoint[] {
  const product: Product = {
    name: PRODUCT_NAME,
    version: PRODUCT_VERSION,
    releasesUrl: releasesUrl.href,
    sourceUrl: sourceUrl.href,
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/product',
      tag: 'server',
      summary: "Returns the product's name and version, and where its releases and its source are.",
      access: 'member',
      responses: { 200: productSchema },
      handle: async () => ok(product),
    }),
  ];
}

/**
 * How long alerts took from webhooks to live clients in the last minutes, on the server that is asked.
 *
 * @param deps.servers how many servers share events, this one included
 * @param deps.isKeyInDatabase whether the key of the secrets lies in the database that it seals
 */
export function latencyRoutes({
  metrics,
  servers,
  isKeyInDatabase,
}: { metrics: Metrics } & { servers: () => number; isKeyInDatabase: () => boolean }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/latency',
      tag: 'server',
      summary: 'Returns how long new alerts took in the last minutes from their webhooks to live clients and screens.',
      access: ['admin', 'super_user'],
      responses: { 200: latencySchema },
      handle: async ({ actor }) => {
        const { delivered, shown } = metrics.liveLatency();
        return ok({
          minutes: RECENT_MS / 60_000,
          servers: Math.max(1, servers()),
          delivered: inMilliseconds(delivered),
          shown: inMilliseconds(shown),
          ...(actor.role === 'admin' && { isKeyInDatabase: isKeyInDatabase() }),
        } satisfies Latency);
      },
    }),
  ];
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

function inMilliseconds({ samples, median, p95, p99 }: RecentDurations): LatencyFigures {
  return { samples, medianMs: milliseconds(median), p95Ms: milliseconds(p95), p99Ms: milliseconds(p99) };
}

/** Prometheus's text format, version 0.0.4. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * True when the configuration says that people reach this server by another name or through a proxy. A proxy on this
 * machine makes everybody's requests look like this machine's own.
 */
const isReachedFromElsewhere = ({ publicUrl, trustedProxies, allowedHosts = [] }: MetricsConfig): boolean =>
  !isLoopbackUrl(publicUrl) || trustedProxies > 0 || allowedHosts.some((host) => !LOOPBACK_NAMES.has(host));

const NO_TOKEN = 'Metrics are for this machine only, unless METRICS_TOKEN is set.';
const TOKEN_NEEDED =
  'Set METRICS_TOKEN to read the metrics: PUBLIC_URL, TRUST_PROXY or ALLOWED_HOSTS says that this server is reached from elsewhere.';

type MetricsConfig = Pick<HttpConfig, 'publicUrl' | 'trustedProxies' | 'allowedHosts' | 'metricsToken'>;

/**
 * `GET /metrics`: for who presents METRICS_TOKEN, and for whoever asks on this machine while the server is set up for this
 * machine alone: no TRUST_PROXY, and neither PUBLIC_URL nor ALLOWED_HOSTS names another host. Others learn that it is not for them rather than that it is not there: its path is no secret, and a scraper's owner
 * must learn what to set.
 *
 * @param deps.scrape the text
 */
export function metricsRoutes({
  scrape,
  config,
}: { config: HttpConfig } & { scrape: () => Promise<string> }): Endpoint[] {
  const { metricsToken: token } = config;
  const isRight = (presented: string) => token !== undefined && isSameSecret(presented, token);
  const isForThisMachine = !isReachedFromElsewhere(config);
  return [
    endpoint({
      method: 'GET',
      path: '/metrics',
      tag: 'server',
      summary: 'Returns what the server counts, for Prometheus: to this machine, and to who presents METRICS_TOKEN.',
      access: 'anyone',
      responses: { 200: 'text/plain' },
      errors: [401, 403],
      handle: async ({ isLocal, bearerToken }) => {
        if ((isLocal && isForThisMachine) || isRight(bearerToken)) return okText(MEDIA_TYPE, await scrape());
        if (token === undefined) throw notAllowed(isForThisMachine ? NO_TOKEN : TOKEN_NEEDED);
        throw notSignedIn('Present METRICS_TOKEN as a bearer token to read the metrics.', 'Bearer realm="metrics"');
      },
    }),
  ];
}
