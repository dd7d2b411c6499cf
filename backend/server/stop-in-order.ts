import process from 'node:process';
import type { Logger } from '#backend/platform/logger/logger.ts';

/** A part of the server that ends, by the name that the log gives it. */
export type StopStep = readonly [name: string, stop: () => unknown];

/** The log, as far as a stop writes to it. */
interface StopLog {
  warn(fields: { stopping: string }, message: string): void;
}

/** How long a part may take to end before the log names it, in milliseconds: half of what a stop has at most. */
const SLOW_MS = 5_000;

/**
 * Ends the parts one after the other. One that takes longer than {@link SLOW_MS} is named in the log, so that a stop that
 * was cut says what it waited for.
 *
 * @throws what a part throws; the parts behind it are not ended then
 */
export async function stopInOrder(logger: StopLog, steps: readonly StopStep[]): Promise<void> {
  for (const step of steps) await stopOne(logger, step);
}

/** The same for parts that end beside each other. */
export const stopTogether = (logger: StopLog, steps: readonly StopStep[]): Promise<unknown> =>
  Promise.all(steps.map((step) => stopOne(logger, step)));

async function stopOne(logger: StopLog, [stopping, stop]: StopStep): Promise<void> {
  const slow = setTimeout(
    () => logger.warn({ stopping }, 'the stop of the server waits for one of its parts'),
    SLOW_MS,
  );
  slow.unref();
  try {
    await stop();
  } finally {
    clearTimeout(slow);
  }
}

/** A stop that takes longer than this is cut, in milliseconds: what was acknowledged is committed by then. */
const STOP_TIMEOUT_MS = 10_000;

/** Ends the process by the stop of its server: with status 1 where that fails or takes too long. The log says which. */
export function endProcess(logger: Pick<Logger, 'info' | 'error'>, stop: () => Promise<unknown>): void {
  setTimeout(() => {
    logger.error({ afterSeconds: STOP_TIMEOUT_MS / 1000 }, 'the stop took too long and was cut');
    process.exit(1);
  }, STOP_TIMEOUT_MS).unref();
  stop().then(
    () => {
      logger.info('stopped');
      process.exit(0);
    },
    (error: unknown) => {
      logger.error({ err: error }, 'the stop failed');
      process.exit(1);
    },
  );
}
