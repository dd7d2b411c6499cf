import type { WebContents } from 'electron';
import type { Log } from '#electron/logs/logs.ts';
import type { Logs } from './logs.ts';

/** What this needs of Node's `process` and of Electron's `app`. */
interface Watched {
  process: Pick<NodeJS.Process, 'on' | 'off'>;
  app: Pick<Electron.App, 'on' | 'off'>;
}

/**
 * Keeps in the log what nobody caught in the main process, and which process of the app is gone. What becomes of an
 * exception stays Electron's to decide; a rejection that nobody handles changes nothing but the log.
 *
 * @returns what ends it
 */
export function watchErrors(log: Log, { process, app }: Watched): () => void {
  const logError = (error: Error, origin: NodeJS.UncaughtExceptionOrigin) =>
    log.error(`an error that nobody caught (${origin})`, error);
  const logRejection = (reason: unknown) => log.error('a rejection that nobody handled', reason);
  const logGone = (_event: Electron.Event, details: Electron.Details) =>
    log.error('a process of the app is gone', details);
  process.on('uncaughtExceptionMonitor', logError);
  process.on('unhandledRejection', logRejection);
  app.on('child-process-gone', logGone);
  return () => {
    process.off('uncaughtExceptionMonitor', logError);
    process.off('unhandledRejection', logRejection);
    app.off('child-process-gone', logGone);
  };
}

const LEVELS = { debug: undefined, info: undefined, warning: 'warn', error: 'error' } as const;

/** Keeps what a page's console warns of. The page itself needs no access to the log. */
export function watchPage(contents: WebContents, logs: Logs): void {
  contents.on('console-message', ({ level, message, sourceId, lineNumber }) => {
    const kept = LEVELS[level];
    if (kept !== undefined) logs.page(kept, message, { url: sourceId, line: lineNumber });
  });
}
