import { hash } from 'node:crypto';
import { type Endpoint, endpoint, okText } from '#backend/endpoint/endpoint.ts';
import { notAllowed, notSignedIn } from '#backend/endpoint/errors.ts';
import type { Metrics } from '#backend/metrics/metrics.ts';
import { sameText } from '#backend/sessions/session-tokens.ts';

/** Prometheus's text format, version 0.0.4. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * `GET /metrics` (contract.md section 1): for whoever asks on this machine, and for who presents METRICS_TOKEN. Others
 * are told that it is not for them rather than that it is not there: its path is no secret, and a scraper's owner
 * must learn what to set.
 */
export function metricsRoutes({ metrics, token }: { metrics: Metrics; token: string | undefined }): Endpoint[] {
  const isRight = (presented: string) =>
    token !== undefined && sameText(hash('sha256', presented), hash('sha256', token));
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
        if (isLocal || isRight(bearerToken)) return okText(MEDIA_TYPE, await metrics.text());
        if (token === undefined) throw notAllowed('Metrics are for this machine only, unless METRICS_TOKEN is set.');
        throw notSignedIn('Present METRICS_TOKEN as a bearer token to read the metrics.', 'Bearer realm="metrics"');
      },
    }),
  ];
}
