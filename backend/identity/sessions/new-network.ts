import ipaddr from 'ipaddr.js';
import { MAX_SESSIONS } from '#backend/contract/account.ts';
import type { User } from '#backend/identity/users/user.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { SessionEntity } from './session-store.ts';

/** Who has just been made signs in for the first time, which is no news to them, in milliseconds. */
const NEW_ACCOUNT_MS = 10 * 60_000;

/**
 * The wider network of an address: the /16 of IPv4, the /32 of IPv6, which is about a provider's. A country cannot be derived
 * without a database of addresses.
 */
export function wideNetworkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  const [first, second] = address instanceof ipaddr.IPv4 ? address.octets : address.parts;
  return `${address.kind()} ${first} ${second}`;
}

/**
 * Whether a sign-in comes from where none of the member's sessions has been, which are kept for a week after their last
 * use. Networks of longer ago are kept nowhere.
 */
export async function isFromNewNetwork(
  tx: Transaction,
  { id: userId, createdAt }: Pick<User, 'id' | 'createdAt'>,
  ip: string,
): Promise<boolean> {
  if (Date.now() - createdAt < NEW_ACCOUNT_MS) return false;
  const sessions = await tx.getRepository(SessionEntity).find({
    select: { ip: true, lastIp: true },
    where: { userId },
    order: { lastSeenAt: 'DESC' },
    take: MAX_SESSIONS,
  });
  const known = sessions.flatMap(({ ip: began, lastIp }) => [began, lastIp]).map((one) => one && wideNetworkOf(one));
  return !known.includes(wideNetworkOf(ip));
}
