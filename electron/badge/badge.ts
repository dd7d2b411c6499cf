import { type BrowserWindow, app, nativeImage } from 'electron';
import type { Attention, NotificationState } from '#electron/contract/desktop.ts';
import { isPaused } from '#electron/notifications/pause.ts';
import type { State } from '#electron/state.ts';
import { badgeDescription, badgeText, drawBadge } from './draw-badge.ts';

interface BadgeParts {
  attention: State<Attention>;
  notifications: State<NotificationState>;
  window: BrowserWindow | undefined;
}

/**
 * How long after the window Windows has made its taskbar button at the latest, in milliseconds. An overlay that is set
 * before is lost, and Electron does not report the button.
 */
const TASKBAR_BUTTON_MS = 1000;

/** Shows the inbox's size on the taskbar button; returns what flashes that. */
export function setupBadge({ attention, notifications, window }: BadgeParts): { flash: () => void } {
  const open = (): BrowserWindow | undefined => (window?.isDestroyed() ? undefined : window);
  const repaint = (): void => showCount(attention.get().inboxCount, open());
  const paused = (): boolean => isPaused(notifications.get().pausedUntil, new Date());

  attention.subscribe(({ inboxCount }) => {
    repaint();
    if (inboxCount === 0) open()?.flashFrame(false);
  });
  notifications.subscribe(() => {
    if (paused()) open()?.flashFrame(false);
  });
  // Hiding the window takes its button away; Explorer takes all buttons along when it starts again.
  const onButton = (): void => {
    repaint();
    setTimeout(repaint, TASKBAR_BUTTON_MS).unref();
  };
  window?.on('show', onButton);
  window?.on('restore', onButton);
  window?.on('focus', repaint);
  return {
    flash() {
      if (!paused() && open()?.isFocused() === false) open()?.flashFrame(true);
    },
  };
}

function showCount(count: number, window: BrowserWindow | undefined): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  window?.setOverlayIcon(overlayOf(count), badgeDescription(count));
}

function overlayOf(count: number): Electron.NativeImage | null {
  const text = badgeText(count);
  if (text === undefined) return null;
  const { pixels, size } = drawBadge(text);
  return nativeImage.createFromBitmap(pixels, { width: size, height: size });
}
