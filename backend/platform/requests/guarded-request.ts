import ipaddr from 'ipaddr.js';
import { isIP, type LookupFunction } from 'node:net';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { Agent } from 'node:https';
import { createSecureContext } from 'node:tls';

/** Of IPv6 only this range is global unicast; of that, one more range is for documentation (RFC 9637). */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
const DOCUMENTATION_V6 = ipaddr.IPv6.parseCIDR('3fff::/20');

/**
 * True for an address of the public internet: the only ones that a push endpoint may have, because the server calls it
 * for a member, who could otherwise reach the server's inner network. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  // A zone (`%eth0`) names an interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_V6) && !parsed.match(DOCUMENTATION_V6));
}

/** Says of an IP address whether a push may go there. */
export type AddressRule = (address: string) => boolean;

/**
 * What is wrong with an endpoint that a member gave, as far as its text shows; undefined when nothing is. What its host
 * name stands for is checked at every connection (`guarded-agent`), because it may change.
 *
 * @param url an https address, as the contract's schema let it through.
 */
export function faultOfEndpoint(url: string, isAllowed: AddressRule = isPublicAddress): string | undefined {
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== 'https:') return 'must be an https address';
  if (username !== '' || password !== '') return 'must not hold a user name or password';
  // The parser has turned every spelling of an address (127.1, 0x7f000001, 2130706433) into the usual one.
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const isReachable = isIP(host) === 0 ? host.includes('.') && !host.endsWith('.localhost') : isAllowed(host);
  return isReachable ? undefined : 'must lead to a push service on the public internet';
}

/** A host name stood for an address where no push may go. It names neither: both come from a member. */
export class ForbiddenAddressError extends Error {
  constructor() {
    super('the push endpoint leads to an address that is not on the public internet');
    this.name = 'ForbiddenAddressError';
  }
}

/** Whether a request's time ran out. Node says of it that it was aborted, and why in its cause. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause));

/** The addresses of a host name, of both families. */
export type Resolve = (hostname: string) => Promise<string[]>;

/** A connection without use is closed after this. */
const IDLE_MS = 30_000;

/**
 * Asks the name servers. Not the system's resolver: it takes a thread of the pool that hashes passwords for as long as a
 * name server lets it wait. A resolver of its own each time follows changes of the network's settings.
 *
 * @param servers whom to ask instead of the system's name servers.
 */
export function createDnsResolve(servers?: string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [first] = answers;
    if (addresses.length === 0 && first.status === 'rejected') throw first.reason;
    return addresses;
  };
}

/** A lookup for connections that fails when any of a name's addresses is forbidden: the others would be next time's. */
export function createGuardedLookup(isAllowed: AddressRule, resolve: Resolve): LookupFunction {
  const find = async (hostname: string, family: unknown): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    if (!addresses.every(isAllowed)) throw new ForbiddenAddressError();
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    return family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
  };
  const answer = async (...[hostname, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    let found: LookupAddress[];
    try {
      found = await find(hostname, options.family);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), []);
      return;
    }
    const [first] = found;
    if (!first) callback(new Error('the host name of a push endpoint has no address'), []);
    else if (options.all) callback(null, found);
    else callback(null, first.address, first.family);
  };
  return (...asked) => void answer(...asked);
}

/**
 * Connections to push services, kept while they are in use: most subscriptions share three or four services.
 *
 * @param ca whom to trust instead of the usual authorities; for tests.
 */
export function createGuardedAgent(lookup: LookupFunction, connections: number, ca: string | undefined): Agent {
  return new Agent({
    keepAlive: true,
    maxSockets: connections,
    maxFreeSockets: connections,
    timeout: IDLE_MS,
    lookup,
    // Made once: each connection would read the authorities' certificates again.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
  });
}
