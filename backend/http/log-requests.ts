import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { HttpContext } from '#backend/endpoint/read-request.ts';
import type { ObserveAnswer } from '#backend/metrics/observers.ts';
import type { Logger } from '#backend/logger.ts';
import { maskPath } from '#backend/sources/mask-request.ts';

/** An id that a proxy in front gave the request already: taken over when it is harmless. */
const HARMLESS_ID = /^[\w.-]{1,64}$/;

/** Methods distinguished in metrics: a client may send any of forty. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Counts an answer and, at `debug`, logs it; `startedAt` by `performance.now()`. */
export type LogAnswer = (
  requestId: string,
  method: string,
  path: string,
  route: string,
  status: number,
  startedAt: number,
) => void;

/**
 * Logs with the path but never the query, which may hold what senders keep to themselves.
 *
 * @param observe receives every answer, with its route
 */
export function createLogAnswer(logger: Logger, observe: ObserveAnswer): LogAnswer {
  const isLogged = logger.isLevelEnabled('debug');
  return (requestId, method, path, route, status, startedAt) => {
    const elapsed = performance.now() - startedAt;
    observe(KNOWN_METHODS.has(method) ? method : 'other', route, status, elapsed / 1000);
    if (!isLogged) return;
    const milliseconds = Math.round(elapsed * 10) / 10;
    logger.debug({ requestId, method, path, status, milliseconds }, 'answered');
  };
}

/** A request's id: what the proxy in front gave it, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && HARMLESS_ID.test(given) ? given : randomUUID();
}

const startTimes = new WeakMap<IncomingMessage, number>();

/** Notes when a request came that was first tried elsewhere. */
export function noteStart(request: IncomingMessage, startedAt: number): void {
  startTimes.set(request, startedAt);
}

/**
 * Gives every request an id, sent in `X-Request-Id` and in each of its log lines, and has `logAnswer` note its answer
 * with the route that {@link nameRoute} gave.
 */
export function logRequests(logAnswer: LogAnswer): Middleware {
  return async (ctx, next) => {
    const requestId = requestIdOf(ctx.req);
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    const startedAt = startTimes.get(ctx.req) ?? performance.now();
    await next();
    const route = (ctx.state['route'] as string | undefined) ?? 'other';
    logAnswer(requestId, ctx.method, maskPath(ctx.path), route, ctx.status, startedAt);
  };
}

/** Notes which declared route a request came to: metrics are by route, since paths are without number. */
export function nameRoute(ctx: HttpContext, route: string): void {
  ctx.state['route'] = route;
}
