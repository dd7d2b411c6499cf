import process from 'node:process';
import type { Log } from '#electron/log.ts';

/**
 * Keeps in the log what nobody caught in the main process. What becomes of it stays Electron's to decide.
 *
 * @returns what ends it
 */
export function watchErrors(log: Log): () => void {
  const note = (error: Error, origin: NodeJS.UncaughtExceptionOrigin) =>
    log.error(`an error that nobody caught (${origin})`, error);
  process.on('uncaughtExceptionMonitor', note);
  return () => process.off('uncaughtExceptionMonitor', note);
}
