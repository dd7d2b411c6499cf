import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import { uuidv7 } from 'uuidv7';
import type { Logger } from '#backend/logger.ts';

/** An id that a proxy in front gave the request already: taken over when it is harmless. */
const HARMLESS_ID = /^[\w.-]{1,64}$/;

/**
 * Gives every request an id, told in `X-Request-Id` and in each of its log lines, and logs it when it is answered: at
 * `debug`, with the path but never the query, which may hold what senders keep to themselves.
 */
export function logRequests(logger: Logger): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const requestId = HARMLESS_ID.test(given) ? given : uuidv7();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    if (!logger.isLevelEnabled('debug')) return;
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10;
    logger.debug({ requestId, method: ctx.method, path: ctx.path, status: ctx.status, milliseconds }, 'answered');
  };
}
