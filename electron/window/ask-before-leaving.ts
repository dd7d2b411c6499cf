import { type BrowserWindow, dialog } from 'electron';

interface LeaveParts {
  /** Nothing can be asked any more: the session of Windows ends. */
  mustLeave: () => boolean;
  /** The page stays, and with it everything that would have followed. */
  onStay: () => void;
}

const LEAVE = 0;
const STAY = 1;

/**
 * Asks before a page is left that holds something to lose. Electron shows nothing by itself: without an answer here it
 * keeps the page, whatever was asked for.
 */
export function askBeforeLeaving(window: BrowserWindow, { mustLeave, onStay }: LeaveParts): void {
  window.webContents.on('will-prevent-unload', (event) => {
    if (mustLeave()) {
      event.preventDefault();
      return;
    }
    // The box belongs to the window, which may be in the tray.
    if (!window.isVisible()) window.show();
    const answer = dialog.showMessageBoxSync(window, {
      type: 'warning',
      message: 'Leave this page?',
      detail: 'Credentials that you have not copied cannot be shown again, and unsaved changes are lost.',
      buttons: ['Leave', 'Stay'],
      defaultId: STAY,
      cancelId: STAY,
      noLink: true,
    });
    if (answer === LEAVE) event.preventDefault();
    else onStay();
  });
}
