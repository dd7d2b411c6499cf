/** The origin of an address; undefined for what is none. Custom schemes have one too: scheme and host. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol, host } = new URL(address);
  // For schemes that it does not know, URL says "null".
  return origin === 'null' ? `${protocol}//${host}` : origin;
}
