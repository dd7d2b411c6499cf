/**
 * After a batch others have their turn for as long as the batch took, at most so many milliseconds, and as long as there is
 * something to be done: a turn that is this short did nothing. SQLite stores on the thread that answers everybody.
 */
const LONGEST_REST_MS = 50;
const SHORT_TURN_MS = 0.3;

/** Leaves the event loop to others for so many milliseconds, or until they have nothing to do. */
export async function letOthersGo(milliseconds: number): Promise<void> {
  const until = performance.now() + Math.min(milliseconds, LONGEST_REST_MS);
  // The first turn may be the rest of the present one.
  await new Promise(setImmediate);
  for (let turnMs = Number.POSITIVE_INFINITY; turnMs > SHORT_TURN_MS && performance.now() < until;) {
    const beganAt = performance.now();
    await new Promise(setImmediate);
    turnMs = performance.now() - beganAt;
  }
}
