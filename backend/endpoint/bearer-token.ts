import type { HttpContext } from './http-context.ts';

/** The token of an `Authorization: Bearer …` header (RFC 6750); empty when there is none. */
export function bearerTokenOf(ctx: HttpContext): string {
  const [scheme, token] = ctx.get('Authorization').split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : '';
}
