/** A clock that was set by more than this has jumped; less is the usual correction, in milliseconds. */
const JUMP_MS = 2_000;

/** How often the clock is compared with the time that passes here, in milliseconds. */
const COMPARED_MS = 5_000;

/** A clock by which things are due: no jump of the time of day hurries or delays them. */
export interface FollowedClock {
  /**
   * Milliseconds since the epoch, and by how much the clock was set since the last call: what is stored by it moves
   * by as much. Nothing moves before that is done: the clock goes on with the new time once `moved` was called.
   */
  now(): Promise<{ now: number; jumpMs: number; moved: () => void }>;
}

/**
 * Follows a clock that may be set by the time that passes for this process.
 *
 * @param ask that clock, in milliseconds since the epoch
 * @param running time that passes for this process alone, which nobody sets
 */
export function createFollowedClock(
  ask: () => Promise<number>,
  running: () => number = () => performance.now(),
): FollowedClock {
  let ahead: number | undefined;
  let comparedAt = Number.NEGATIVE_INFINITY;
  return {
    async now() {
      if (running() - comparedAt < COMPARED_MS && ahead !== undefined) {
        return { now: running() + ahead, jumpMs: 0, moved: () => undefined };
      }
      const asked = running();
      const shown = await ask();
      const next = shown - (asked + running()) / 2;
      const jumpMs = ahead === undefined || Math.abs(next - ahead) <= JUMP_MS ? 0 : Math.round(next - ahead);
      const moved = (): void => {
        ahead = next;
        comparedAt = running();
      };
      if (jumpMs === 0) moved();
      return { now: running() + next, jumpMs, moved };
    },
  };
}
