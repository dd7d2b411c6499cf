import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';
import type { HttpContext } from '#backend/endpoint/http-context.ts';
import type { ObserveAnswer } from '#backend/metrics/observers.ts';
import type { Logger } from '#backend/logger.ts';

/** An id that a proxy in front gave the request already: taken over when it is harmless. */
const HARMLESS_ID = /^[\w.-]{1,64}$/;

/** Methods told apart in metrics: a client may send any of forty. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Gives every request an id, told in `X-Request-Id` and in each of its log lines, and logs it when it is answered: at
 * `debug`, with the path but never the query, which may hold what senders keep to themselves.
 *
 * @param observe hears of every answer, with the route that {@link nameRoute} noted
 */
export function logRequests(logger: Logger, observe: ObserveAnswer): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const requestId = HARMLESS_ID.test(given) ? given : uuidv7();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const elapsed = performance.now() - startedAt;
    const route = (ctx.state['route'] as string | undefined) ?? 'other';
    observe(KNOWN_METHODS.has(ctx.method) ? ctx.method : 'other', route, ctx.status, elapsed / 1000);
    if (!logger.isLevelEnabled('debug')) return;
    const milliseconds = Math.round(elapsed * 10) / 10;
    logger.debug({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, milliseconds }, 'answered');
  };
}

/** Notes which declared route a request came to: metrics are by route, since paths are without number. */
export function nameRoute(ctx: HttpContext, route: string): void {
  ctx.state['route'] = route;
}
