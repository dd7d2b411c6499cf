import bcrypt from 'bcrypt';
import { MAX_PASSWORD_BYTES } from '#backend/contract/user.ts';
import { TRUSTED, createHashQueue } from './hash-queue.ts';
import { randomInt } from 'node:crypto';

/** bcrypt's work factor. */
export const BCRYPT_COST = 12;

/** Checks and makes password hashes. Both throw {@link ProblemError} 503 when too many hashes are queued. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** True when a hash was made with another work factor than today's, and should be made again. */
  isOutdated(hash: string): boolean;
  /**
   * Compares in like time whether or not there is an account: without one a hash of nothing is compared.
   *
   * @param rank who goes first when many are queued, see `HashQueue`
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

/** Without look-alikes: nobody should have to guess between 0 and o, 1 and l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password of four groups of four from 31 characters: 79 bits, and still typed by hand without a mistake. */
export const generatePassword = (): string => Array.from({ length: 4 }, randomGroup).join('-');

const randomGroup = (): string => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
