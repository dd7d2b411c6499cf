import { BlockList, isIP } from 'node:net';

/** IPv4 that is not the public internet's (RFC 6890 and its registry): the machine, its networks, tests, multicast. */
const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/**
 * Of IPv6 only global unicast is public. What lies outside (loopback, link-local, unique local, multicast, IPv4-mapped,
 * NAT64) need not be listed; inside it stand protocols' own addresses, documentation, and 6to4, which wraps any IPv4.
 */
const GLOBAL_V6 = ['2000::', 3] as const;
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const notPublic = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_V4) notPublic.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_V6) notPublic.addSubnet(net, prefix, 'ipv6');
const globalV6 = new BlockList();
globalV6.addSubnet(...GLOBAL_V6, 'ipv6');

/**
 * True for an address of the public internet: the only ones that a push endpoint may have, because the server calls it
 * for a member, who could otherwise reach the server's inner network. False for what is no address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, 'ipv4');
  // A zone (`%eth0`) names an interface of this machine.
  if (family === 6 && !address.includes('%'))
    return globalV6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6');
  return false;
}
