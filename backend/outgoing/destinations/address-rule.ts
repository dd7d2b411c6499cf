import ipaddr from 'ipaddr.js';
import { isIP } from 'node:net';
import { type AddressRule, isPublicAddress } from '#backend/platform/requests/guarded-request.ts';

/** A network in CIDR notation, such as `10.0.4.0/24`. */
export type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Networks separated by commas. @throws {Error} for what is none */
export const parseNetworks = (text: string): Network[] => text.split(',').map((one) => ipaddr.parseCIDR(one.trim()));

/** Where destinations may be, beside the public internet. */
export const isWithinNetworks =
  (networks: readonly Network[]): AddressRule =>
  (address) => {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const parsed = ipaddr.process(address);
    return networks.some((network) => parsed.kind() === network[0].kind() && parsed.match(network));
  };

/** What addresses each scheme may lead to: what is not encrypted stays in networks that the operator named. */
export function addressRules(networks: readonly Network[]): Record<'https:' | 'http:', AddressRule> {
  const isWithin = isWithinNetworks(networks);
  return { 'https:': (address) => isPublicAddress(address) || isWithin(address), 'http:': isWithin };
}

/** The address of a URL's host where it is one, without the brackets of IPv6. */
export const addressIn = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
};

/** What an administrator is shown of an address that no message may go to. */
export const forbiddenAddress = ({ protocol }: Pick<URL, 'protocol'>, address: string): string =>
  protocol === 'http:' && isPublicAddress(address)
    ? 'The address begins with http://, so anybody on the way could read messages. Use https://.'
    : `The address leads to ${address}, inside the network. The operator has to allow that network with OUTGOING_NETWORKS.`;

/**
 * What is wrong with an address that an administrator writes, as far as its text shows; undefined when nothing is. What its host
 * name stands for is checked at every connection.
 */
export function faultOfAddress(text: string, networks: readonly Network[]): string | undefined {
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  const address = addressIn(url);
  if (address === undefined) return undefined;
  const rules = addressRules(networks);
  return rules[url.protocol as keyof typeof rules](address) ? undefined : forbiddenAddress(url, address);
}
