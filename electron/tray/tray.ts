import { Menu, Tray, screen } from 'electron';
import { scaledImage } from '#electron/drawing/scaled-image.ts';
import { TRAY_SIZE, type TrayLook, drawTrayIcon } from './draw-tray-icon.ts';
import { type TrayActions, type TrayFacts, trayMenu, trayTip } from './tray-menu.ts';

/** Which of the three icons tells how it is. */
export function trayLook({ attention, server }: TrayFacts): TrayLook {
  if (server.phase !== 'connected' || attention.connection === 'disconnected') return 'disconnected';
  return attention.inboxCount > 0 ? 'unread' : 'quiet';
}

/** Puts the icon into the tray. Returns what brings it up to date. */
export function setupTray(facts: () => TrayFacts, actions: TrayActions): () => void {
  let shown: { look: TrayLook; scale: number } = {
    look: 'disconnected',
    scale: screen.getPrimaryDisplay().scaleFactor,
  };
  const icon = () => scaledImage(TRAY_SIZE, shown.scale, (canvas) => drawTrayIcon(canvas, shown.look));
  const tray = new Tray(icon());
  const repaint = (): void => {
    const now = { look: trayLook(facts()), scale: screen.getPrimaryDisplay().scaleFactor };
    if (now.look === shown.look && now.scale === shown.scale) return;
    shown = now;
    tray.setImage(icon());
  };
  tray.on('click', () => actions.open());
  // The tray is on the primary display, which another can become.
  screen.on('display-metrics-changed', repaint);
  screen.on('display-added', repaint);
  screen.on('display-removed', repaint);
  return () => {
    const present = facts();
    repaint();
    tray.setToolTip(trayTip(present));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(present, actions)));
  };
}
