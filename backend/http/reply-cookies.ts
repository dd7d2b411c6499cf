import type { SessionStore } from '#backend/identity/sessions/session-store.ts';
import { startCookies } from '#backend/identity/sessions/session-cookies.ts';
import { csrfTokenOf } from '#backend/identity/users/session-tokens.ts';
import type { ReplyCookie } from '#backend/platform/endpoint/endpoint.ts';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';

/** Sets cookies of an answer. */
export function setCookies(ctx: HttpContext, cookies: readonly ReplyCookie[], isSecure: boolean): void {
  // Behind a proxy that is not trusted to say so, PUBLIC_URL alone says that people come over https.
  ctx.cookies.secure = isSecure;
  for (const { name, value, httpOnly, maxAgeSeconds } of cookies) {
    ctx.cookies.set(name, value, {
      httpOnly,
      path: '/',
      sameSite: 'lax',
      secure: isSecure,
      overwrite: true,
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds * 1000 }),
    });
  }
}

/** Where a request keeps the token of the session that it prolongs. */
const RENEWED_TOKEN = 'renewedToken';

/** Notes that a request prolongs the session with this token, for {@link prolongCookies}. */
export function noteRenewal(ctx: HttpContext, token: string): void {
  ctx.state[RENEWED_TOKEN] = token;
}

/**
 * Prolongs the cookies of a session with its answer: they live as long as the session does, from its last use on. Where the
 * session has ended since the request began, or has another token, the browser has other cookies by now, and keeps them.
 */
export async function prolongCookies(
  ctx: HttpContext,
  { sessions, sessionSecret }: { sessions: Pick<SessionStore, 'find'>; sessionSecret: string },
  isSecure: boolean,
): Promise<void> {
  const token = ctx.state[RENEWED_TOKEN] as string | undefined;
  if (token === undefined) return;
  // What was done is answered, also where this cannot be read: a later request prolongs them.
  const found = await sessions.find(token, null).catch(() => undefined);
  if (found) setCookies(ctx, startCookies(isSecure, token, csrfTokenOf(sessionSecret, found.sessionId)), isSecure);
}
