/** A figure that was read, by the time at which its reading ended. */
interface Known<T> {
  at: number;
  keptMs: number;
  figure: T;
}

/** Longest that the other figures wait for one that takes long to read, in milliseconds. */
const WAIT_MS = 2_000;

/** Whether something of a moment still counts; not after the clock was set back. */
export const isWithin = (at: number, now: number, milliseconds: number): boolean =>
  now >= at && now - at < milliseconds;

/**
 * Keeps a figure that may take long to read, and reads it once at a time.
 *
 * @param read says how long its answer is kept, in milliseconds; never fails
 * @returns a function that says what is known after two seconds at the latest; undefined while nothing is
 */
export function keepFigure<T>(
  read: (now: number) => Promise<Omit<Known<T>, 'at'>>,
): (now: number) => Promise<Known<T> | undefined> {
  let known: Known<T> | undefined;
  let reading: Promise<void> | undefined;
  const follow = async (now: number): Promise<void> => {
    const startedAt = performance.now();
    const answer = await read(now);
    known = { ...answer, at: now + Math.floor(performance.now() - startedAt) };
    reading = undefined;
  };
  return async (now) => {
    if (!known || !isWithin(known.at, now, known.keptMs)) {
      reading ??= follow(now);
      await atMost(reading, WAIT_MS);
    }
    return known;
  };
}

/** Waits for something, so long at most. */
async function atMost(work: Promise<void>, milliseconds: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
