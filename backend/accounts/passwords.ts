import bcrypt from 'bcrypt';
import { MAX_PASSWORD_BYTES } from '#backend/contract/user.ts';
import { TRUSTED, createHashQueue } from './hash-queue.ts';

/** bcrypt's work factor. */
export const BCRYPT_COST = 12;

/** Checks and makes password hashes. Both throw {@link ProblemError} 503 when too many hashes wait. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** True when a hash was made with another work factor than today's, and should be made again. */
  isOutdated(hash: string): boolean;
  /**
   * Compares in like time whether or not there is an account: without one a hash of nothing is compared.
   *
   * @param rank who goes first when many wait, see `HashQueue`
   */
  matches(password: string, hash: string | undefined, rank: number): Promise<boolean>;
}

/** @param cost bcrypt's work factor; only tests lower it. */
export function createPasswords(cost: number = BCRYPT_COST): Passwords {
  const queue = createHashQueue();
  // Well-formed, so comparing with it takes as long as with any other; no password is known to have it.
  const decoy = `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
  return {
    hash: (password) => queue.run(TRUSTED, () => bcrypt.hash(password, cost)),
    isOutdated: (hash) => bcrypt.getRounds(hash) !== cost,
    matches: (password, hash, rank) =>
      queue.run(rank, async () => {
        const same = await bcrypt.compare(password, hash ?? decoy);
        return same && hash !== undefined && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES;
      }),
  };
}
