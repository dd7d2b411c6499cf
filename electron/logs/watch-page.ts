import type { WebContents } from 'electron';
import type { Logs } from './logs.ts';

const LEVELS = { debug: undefined, info: undefined, warning: 'warn', error: 'error' } as const;

/** Keeps what a page's console warns of. The page itself needs no way to the log for it. */
export function watchPage(contents: WebContents, logs: Logs): void {
  contents.on('console-message', ({ level, message, sourceId, lineNumber }) => {
    const kept = LEVELS[level];
    if (kept !== undefined) logs.page(kept, message, { url: sourceId, line: lineNumber });
  });
}
