import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';
import type { ObserveAnswer } from '#backend/platform/metrics/observers.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { IngestAddress } from '#backend/intake/sources/credentials.ts';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import type { Tracing } from '#backend/platform/tracing/tracing.ts';
import { clientAddress } from './origin.ts';

/** An id that a proxy in front gave the request already: taken over when it is harmless. */
const HARMLESS_ID = /^[\w.-]{1,64}$/;

/** Methods distinguished in metrics: a client may send any of forty. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Routes whose answers below 500 are logged at `debug` alone: what is asked for again and again, the files of the web app,
 * and what is sent to sources and heartbeats, which their logs have and which would cost as much as a tenth of taking it.
 */
const FREQUENT_ROUTES: ReadonlySet<string> = new Set(
  Object.keys({
    '/healthz': true,
    '/readyz': true,
    '/metrics': true,
    'web app': true,
    '/webhook': true,
    '/in/:token': true,
    '/v2/enqueue': true,
    '/v2/alerts': true,
    '/ping/:token': true,
  } satisfies Record<IngestAddress['route'] | '/healthz' | '/readyz' | '/metrics' | 'web app', true>),
);

/** A request that was answered. */
export interface Answered {
  requestId: string;
  method: string;
  /** Without the query, which may hold what senders keep to themselves. */
  path: string;
  /** The declared route, for metrics. */
  route: string;
  status: number;
  /** By `performance.now()`. */
  startedAt: number;
  /** The client's address. */
  address: string;
}

/** Counts an answer and logs it. */
export type LogAnswer = (answered: Answered) => void;

/**
 * The access log: a line at `info` for each answer, of frequent ones at `debug`.
 *
 * @param observe receives every answer, with its route
 */
export function createLogAnswer(logger: Logger, observe: ObserveAnswer): LogAnswer {
  const [logsAll, logs] = [logger.isLevelEnabled('debug'), logger.isLevelEnabled('info')];
  return ({ requestId, method, path, route, status, startedAt, address }) => {
    const elapsed = performance.now() - startedAt;
    observe(KNOWN_METHODS.has(method) ? method : 'other', route, status, elapsed / 1000);
    if (!logs) return;
    // A call that belongs to no heartbeat is noted nowhere else.
    const isFrequent = status < (route === '/ping/:token' ? 400 : 500) && FREQUENT_ROUTES.has(route);
    if (isFrequent && !logsAll) return;
    const milliseconds = Math.round(elapsed * 10) / 10;
    logger[isFrequent ? 'debug' : 'info']({ requestId, method, path, status, milliseconds, address }, 'answered');
  };
}

/** A request's id: what the proxy in front gave it, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : randomUUID();
}

/**
 * Gives every request an id, sent in `X-Request-Id` and in each of its log lines, and has `logAnswer` note its answer
 * with the route that {@link nameRoute} gave. Its work belongs to its span.
 */
export function logRequests(logAnswer: LogAnswer, tracing: Tracing): Middleware {
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx.req);
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    const span = tracing.request(ctx.req, startedAt);
    await tracing.inside(span, next);
    const route = (ctx.state['route'] as string | undefined) ?? 'other';
    logAnswer({
      requestId,
      method: ctx.method,
      path: maskSegments(ctx.path),
      route,
      status: ctx.status,
      startedAt,
      address: clientAddress(ctx.req, ctx.app.maxIpsCount),
    });
    span?.answered(ctx.method, route, ctx.status);
  };
}

/** Notes which declared route a request came to: metrics are by route, since paths are without number. */
export function nameRoute(ctx: HttpContext, route: string): void {
  ctx.state['route'] = route;
}
