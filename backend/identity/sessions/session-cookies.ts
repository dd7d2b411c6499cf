import { CSRF_COOKIE, SECURE_CSRF_COOKIE } from '#backend/contract/csrf.ts';
import type { ReplyCookie } from '#backend/platform/endpoint/endpoint.ts';
import { SESSION_LIFETIME_MS } from './session-rules.ts';
import { createHmac } from 'node:crypto';
import type { User } from '#backend/identity/users/user.ts';
import { csrfTokenOf, newToken, sameText } from '#backend/identity/users/session-tokens.ts';

const MAX_AGE_SECONDS = SESSION_LIFETIME_MS / 1000;

/** The session cookie's name: on https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const sessionCookieName = (isSecure: boolean): string => (isSecure ? '__Host-sid' : 'sid');

/** The two cookies of a session, when it starts and when it is used. */
export const startCookies = (isSecure: boolean, token: string, csrfToken: string): ReplyCookie[] => [
  { name: sessionCookieName(isSecure), value: token, httpOnly: true, maxAgeSeconds: MAX_AGE_SECONDS },
  csrfCookie(isSecure, csrfToken),
];

/** The same of a session that goes on under another token. */
export const renewedCookies = (
  secret: string,
  isSecure: boolean,
  { token, id }: { token: string; id: string },
): ReplyCookie[] => startCookies(isSecure, token, csrfTokenOf(secret, id));

/** The name of the cookie with the CSRF token. */
export const csrfCookieName = (isSecure: boolean): string => (isSecure ? SECURE_CSRF_COOKIE : CSRF_COOKIE);

/** The cookie that the session's pages repeat in a header. */
export const csrfCookie = (isSecure: boolean, csrfToken: string): ReplyCookie => ({
  name: csrfCookieName(isSecure),
  value: csrfToken,
  httpOnly: false,
  maxAgeSeconds: MAX_AGE_SECONDS,
});

/** Takes back the CSRF cookie under the name that earlier releases gave it on https, too. */
export const endPlainCsrfCookie = (): ReplyCookie => ({ name: CSRF_COOKIE, value: null, httpOnly: false });

/** Takes both cookies back. */
export const endCookies = (isSecure: boolean): ReplyCookie[] => [
  { name: sessionCookieName(isSecure), value: null, httpOnly: true },
  ...(isSecure ? [{ name: SECURE_CSRF_COOKIE, value: null, httpOnly: false }] : []),
  endPlainCsrfCookie(),
];

/** Browsers keep a cookie for 400 days at most (RFC 6265bis, section 5.5). */
const DEVICE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

type Account = Pick<User, 'id' | 'passwordHash'>;

/** The device cookie's name: on https the `__Host-` prefix keeps other hosts of the domain from setting it. */
export const deviceCookieName = (isSecure: boolean): string => (isSecure ? '__Host-device' : 'device');

/** Bound to the account and to its password: a reset makes all of its devices unknown. */
const signatureOf = (secret: string, { id, passwordHash }: Account, deviceId: string): string =>
  createHmac('sha256', secret).update(`device:${id}:${passwordHash}:${deviceId}`).digest('base64url');

/**
 * The cookie by which this browser is known to the account from now on. It lets nobody in: it only exempts from the
 * limits that strangers' guesses use up. A browser remembers the account that signed in last.
 *
 * @param deviceId the id that the browser has for this account already
 */
export function deviceCookie(
  { secret, isSecure }: { secret: string; isSecure: boolean },
  account: Account,
  deviceId: string = newToken(),
): ReplyCookie {
  const value = `${deviceId}.${signatureOf(secret, account, deviceId)}`;
  return { name: deviceCookieName(isSecure), value, httpOnly: true, maxAgeSeconds: DEVICE_MAX_AGE_SECONDS };
}

/** The id of a device that has signed in to this account before; undefined for any other cookie. */
export function knownDeviceId(secret: string, account: Account | null, cookie: string | undefined): string | undefined {
  const [deviceId = '', signature = ''] = cookie?.split('.') ?? [];
  return account && sameText(signature, signatureOf(secret, account, deviceId)) ? deviceId : undefined;
}
