import { type Config, isLoopbackUrl } from '#backend/config.ts';
import { type Endpoint, endpoint, okText } from '#backend/endpoint/endpoint.ts';
import { notAllowed, notSignedIn } from '#backend/endpoint/errors.ts';
import type { Metrics } from '#backend/metrics/metrics.ts';
import { isSameSecret } from '#backend/sessions/session-tokens.ts';
import { LOOPBACK_NAMES } from './origin.ts';

/** Prometheus's text format, version 0.0.4. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * True when the configuration says that people reach this server by another name or through a proxy. A proxy on this
 * machine makes everybody's requests look like this machine's own.
 */
const isReachedFromElsewhere = ({ publicUrl, trustedProxies, allowedHosts = [] }: MetricsConfig): boolean =>
  !isLoopbackUrl(publicUrl) || trustedProxies > 0 || allowedHosts.some((host) => !LOOPBACK_NAMES.has(host));

type MetricsConfig = Pick<Config, 'publicUrl' | 'trustedProxies' | 'allowedHosts' | 'metricsToken'>;

/**
 * `GET /metrics`: for who presents METRICS_TOKEN, and for whoever asks on this machine while the server is set up for this
 * machine alone: no TRUST_PROXY, and neither PUBLIC_URL nor ALLOWED_HOSTS names another host. Others are told that it is not for them rather than that it is not there: its path is no secret, and a scraper's owner
 * must learn what to set.
 */
export function metricsRoutes({ metrics, config }: { metrics: Metrics; config: MetricsConfig }): Endpoint[] {
  const { metricsToken: token } = config;
  const isRight = (presented: string) => token !== undefined && isSameSecret(presented, token);
  const isForThisMachine = !isReachedFromElsewhere(config);
  return [
    endpoint({
      method: 'GET',
      path: '/metrics',
      tag: 'server',
      summary: 'Tells what the server counts, for Prometheus: to this machine, and to who presents METRICS_TOKEN.',
      who: 'anyone',
      responses: { 200: 'text/plain' },
      refusals: [401, 403],
      handle: async ({ isLocal, bearerToken }) => {
        if ((isLocal && isForThisMachine) || isRight(bearerToken)) return okText(MEDIA_TYPE, await metrics.text());
        if (token === undefined) throw notAllowed('Metrics are for this machine only, unless METRICS_TOKEN is set.');
        throw notSignedIn('Present METRICS_TOKEN as a bearer token to read the metrics.', 'Bearer realm="metrics"');
      },
    }),
  ];
}
