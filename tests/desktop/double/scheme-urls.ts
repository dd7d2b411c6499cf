/** Chromium navigates to no scheme that it does not know, so pages of one stand at a host of their own in the double. */
const SUFFIX = '.scheme.localhost';

/** Where Chromium finds an address of a scheme that the app handles. */
export function toPageUrl(url: string, schemes: ReadonlyMap<string, unknown>): string {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const scheme = protocol.slice(0, -1);
  return schemes.has(scheme) ? `http://${host}.${scheme}${SUFFIX}${pathname}${search}${hash}` : url;
}

/** The address as the app knows it. */
export function fromPageUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname, search, hash } = new URL(url);
  if (!hostname.endsWith(SUFFIX)) return url;
  const [host = '', scheme = ''] = hostname.slice(0, -SUFFIX.length).split('.');
  return `${scheme}://${host}${pathname}${search}${hash}`;
}

export const isSchemeUrl = (url: string): boolean => URL.canParse(url) && new URL(url).hostname.endsWith(SUFFIX);
