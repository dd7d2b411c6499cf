/** Name of the cookie that holds the CSRF token, readable by scripts, and of the header that must repeat it. */
export const CSRF_COOKIE = 'csrf-token';
export const CSRF_HEADER = 'X-CSRF-Token';
