/**
 * An address of the configuration whose parts can be decoded; nothing of one that cannot be read. A password with a bare `%`
 * parses, and fails later, where a driver or this server decodes it.
 */
export function readAddress(value: string): Partial<URL> {
  try {
    const url = new URL(value);
    [url.username, url.password, url.pathname].forEach(decodeURIComponent);
    return url;
  } catch {
    return {};
  }
}
