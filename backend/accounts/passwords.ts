import bcrypt from 'bcrypt';
import pLimit from 'p-limit';
import { MAX_PASSWORD_BYTES } from '#backend/contract/user.ts';

/** bcrypt's work factor (quality.md, "Nobody in who does not belong"). */
export const BCRYPT_COST = 12;

/** Hashes that run at once: each takes a core for a quarter of a second, and requests must go on. */
const MAX_PARALLEL_HASHES = 2;

/** Checks and makes password hashes. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** True when a hash was made with another work factor than today's, and should be made anew. */
  isOutdated(hash: string): boolean;
  /** Compares in like time whether or not there is an account: without one a hash of nothing is compared. */
  matches(password: string, hash: string | undefined): Promise<boolean>;
}

/** @param cost bcrypt's work factor; only tests lower it. */
export function createPasswords(cost: number = BCRYPT_COST): Passwords {
  const inTurn = pLimit(MAX_PARALLEL_HASHES);
  const decoy = bcrypt.hash('no account has this password', cost);
  return {
    hash: (password) => inTurn(() => bcrypt.hash(password, cost)),
    isOutdated: (hash) => bcrypt.getRounds(hash) !== cost,
    matches: (password, hash) =>
      inTurn(async () => {
        const same = await bcrypt.compare(password, hash ?? (await decoy));
        return same && hash !== undefined && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
      }),
  };
}
