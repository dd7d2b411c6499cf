import { join } from 'node:path';
import { app, dialog } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { openLogs } from '#electron/logs/logs.ts';

/**
 * Ends a start that went wrong, with an entry in the log and a box that says why: else a process without a window would
 * hold the lock, and each further start would end without a word.
 */
export function failStart(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  let hint = '';
  try {
    const logs = openLogs({ folder: join(app.getPath('userData'), 'logs') });
    logs.error('the app could not start', error);
    hint = `\n\nThe log is at ${logs.path}`;
  } catch {
    // The disk may be the reason. The box comes all the same.
  }
  dialog.showErrorBox(`${PRODUCT_NAME} cannot start`, `${reason}${hint}`);
  app.exit(1);
}
