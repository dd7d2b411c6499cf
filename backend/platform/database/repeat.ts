import { setTimeout as wait } from 'node:timers/promises';

/** Work that comes again and again until it is stopped. */
export interface Repeating {
  /** Asks a running turn to end early, and waits for it. */
  stop(): Promise<void>;
}

/** Does something at once and then so many milliseconds after each end. After a failure too, which `onError` receives. */
export function startRepeating(
  work: (stopping: AbortSignal) => Promise<unknown>,
  { intervalMs, onError }: { intervalMs: number; onError: (error: unknown) => void },
): Repeating {
  const stopping = new AbortController();
  const run = async () => {
    while (!stopping.signal.aborted) {
      await work(stopping.signal).catch(onError);
      await pause(intervalMs, stopping.signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Waits so long, or until it is stopped. */
export const pause = (milliseconds: number, stopping: AbortSignal): Promise<void> =>
  wait(milliseconds, undefined, { signal: stopping, ref: false }).catch(() => undefined);

/** Waits for work, but so long at most: what takes longer goes on behind it. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  await Promise.race([work.finally(() => done.abort()), pause(milliseconds, done.signal)]);
}
