/** An answer has to come within so many looks. */
const LOOKS = 5;

/**
 * What Redis answers, if it does so in time. Time is counted in looks, and sockets are read after the last one: an answer that
 * came while this process was busy counts, and so does one to a command that left only then.
 *
 * @param withinMs how long that is, in milliseconds
 * @throws {Error} when it takes longer
 */
export function inTime<T>(asked: Promise<T>, withinMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const giveUp = () => reject(new Error('Redis did not answer in time.'));
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    // Timers run before sockets are read, and these callbacks after it.
    if (looks === LOOKS) setImmediate(giveUp);
  }, withinMs / LOOKS).unref();
  return Promise.race([asked, promise]).finally(() => clearInterval(timer));
}
