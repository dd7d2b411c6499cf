import type { HttpContext } from './http-context.ts';

/** The token of an `Authorization: Bearer …` header (RFC 6750); empty when there is none. */
export function bearerToken(authorization: string | undefined): string {
  if (!authorization) return '';
  const [scheme, token] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : '';
}

/** The same of a request as Koa sees it. */
export const bearerTokenOf = (ctx: HttpContext): string => bearerToken(ctx.get('Authorization'));
