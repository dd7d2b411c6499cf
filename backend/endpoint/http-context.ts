import type { ParameterizedContext } from 'koa';

/** A request as Koa's middleware sees it, without what only sockets have. */
export type HttpContext = ParameterizedContext;
