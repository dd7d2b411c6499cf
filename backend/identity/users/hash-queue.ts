import { unavailable } from '#backend/platform/endpoint/errors.ts';

/** Hashes that run at once: each takes a core for a quarter of a second, and requests must go on. */
const MAX_ACTIVE = 2;

/** Hashes that may be queued: with two cores about four seconds' worth. */
export const MAX_PENDING = 32;

/** The rank of what is never displaced by strangers: known devices and members who are signed in. */
export const TRUSTED = 0;

interface Pending {
  rank: number;
  start: () => void;
  reject: (error: Error) => void;
}

/**
 * Runs costly work, a few at once, the lowest rank first. Within the trusted rank it is first come, first served; among
 * strangers the newest is next, so that a flood that fills the queue does not stand before a person who comes after it.
 */
export interface HashQueue {
  /**
   * Runs `work` when its turn comes.
   *
   * @param rank 0 ({@link TRUSTED}) goes first; of strangers, those with fewer attempts go before those with more.
   * @throws {ProblemError} 503 with Retry-After when too many are queued; of the highest rank the oldest is rejected.
   */
  run<T>(rank: number, work: () => Promise<T>): Promise<T>;
}

const busy = () => unavailable('Too many people are signing in right now. Try again in a few seconds.', 5);

/** An empty queue. */
export function createHashQueue(): HashQueue {
  let active = 0;
  // The next one first.
  const pending: Pending[] = [];

  const startNext = () => {
    while (active < MAX_ACTIVE && pending.length > 0) {
      active += 1;
      pending.shift()?.start();
    }
  };

  const add = (entry: Pending) => {
    const isAfter = ({ rank }: Pending) => (entry.rank === TRUSTED ? rank > TRUSTED : rank >= entry.rank);
    const place = pending.findIndex(isAfter);
    pending.splice(place === -1 ? pending.length : place, 0, entry);
    startNext();
    if (pending.length > MAX_PENDING) pending.pop()?.reject(busy());
  };

  return {
    async run(rank, work) {
      await new Promise<void>((resolve, reject) => {
        add({ rank, start: resolve, reject });
      });
      try {
        return await work();
      } finally {
        active -= 1;
        startNext();
      }
    },
  };
}
