import { type BrowserWindow, app } from 'electron';
import type { Attention } from '#electron/contract/desktop.ts';
import { scaledImage } from '#electron/drawing/scaled-image.ts';
import type { State } from '#electron/state.ts';
import { BADGE_SIZE, badgeDescription, badgeText, drawBadge } from './draw-badge.ts';

/** Shows the inbox's size at the taskbar's icon, and lets that flash while new alerts come and nobody looks. */
export function setupBadge(attention: State<Attention>, window: () => BrowserWindow | undefined): void {
  let shown = 0;
  attention.subscribe(({ inboxCount }) => {
    const isMore = inboxCount > shown;
    shown = inboxCount;
    showCount(inboxCount, window());
    const open = window();
    if (!open) return;
    if (inboxCount === 0) open.flashFrame(false);
    else if (isMore && !open.isFocused()) open.flashFrame(true);
  });
}

function showCount(count: number, window: BrowserWindow | undefined): void {
  if (process.platform !== 'win32') {
    app.setBadgeCount(count);
    return;
  }
  const text = badgeText(count);
  const image = text === undefined ? null : scaledImage(BADGE_SIZE, (canvas) => drawBadge(canvas, text));
  window?.setOverlayIcon(image, badgeDescription(count));
}
