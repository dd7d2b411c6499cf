/** What may be opened outside of the app, in the system's browser or mail program. */
const PROTOCOLS = new Set(['https:', 'http:', 'mailto:']);

/** The address if it may be opened outside, in the form that the system gets; undefined else. */
export function externalAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!PROTOCOLS.has(url.protocol)) return undefined;
  // https://bank.example@evil.example: shown as one, goes to the other.
  return url.username === '' && url.password === '' ? url.href : undefined;
}

/** The origin of an address; undefined for what is none. Custom schemes have one too: scheme and host. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol, host } = new URL(address);
  // For schemes that it does not know, URL says "null".
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
