import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Says of an IP address whether a push may go there. */
export type AddressRule = (address: string) => boolean;

/**
 * What is wrong with an endpoint that a member gave, as far as its text tells; undefined when nothing is. What its host
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
