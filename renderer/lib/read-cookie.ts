/** The value of a cookie that scripts may read, or undefined when it is not set. */
export function readCookie(name: string): string | undefined {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((cookie) => cookie.startsWith(prefix));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(prefix.length));
}
