/** Name of the cookie that holds the CSRF token, readable by scripts, and of the header that must repeat it. */
export const CSRF_COOKIE = 'csrf-token';
export const CSRF_HEADER = 'X-CSRF-Token';

/** The cookie's name on https, where the prefix keeps other hosts of the domain from setting it. */
export const SECURE_CSRF_COOKIE = `__Host-${CSRF_COOKIE}`;

/** The CSRF token among a client's cookies, under either name; undefined when nobody is signed in. */
export const readCsrfToken = (readCookie: (name: string) => string | undefined): string | undefined =>
  readCookie(SECURE_CSRF_COOKIE) ?? readCookie(CSRF_COOKIE);
