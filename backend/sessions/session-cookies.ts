import { CSRF_COOKIE } from '#backend/contract/csrf.ts';
import type { ReplyCookie } from '#backend/endpoint/endpoint.ts';
import { SESSION_LIFETIME_MS } from './session-store.ts';

const MAX_AGE_SECONDS = SESSION_LIFETIME_MS / 1000;

/** The session cookie's name: on https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? '__Host-sid' : 'sid');

/** The two cookies of a session, when it starts and when it is used. */
export const startCookies = (isSecure: boolean, token: string, csrfToken: string): ReplyCookie[] => [
  { name: sessionCookieName(isSecure), value: token, httpOnly: true, maxAgeSeconds: MAX_AGE_SECONDS },
  csrfCookie(csrfToken),
];

/** The cookie that the session's pages repeat in a header. */
export const csrfCookie = (csrfToken: string): ReplyCookie => ({
  name: CSRF_COOKIE,
  value: csrfToken,
  httpOnly: false,
  maxAgeSeconds: MAX_AGE_SECONDS,
});

/** Takes both cookies back. */
export const endCookies = (isSecure: boolean): ReplyCookie[] => [
  { name: sessionCookieName(isSecure), value: null, httpOnly: true },
  { name: CSRF_COOKIE, value: null, httpOnly: false },
];
