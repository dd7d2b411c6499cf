import { Menu, type NativeImage, Tray } from 'electron';
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
  const icons = new Map<TrayLook, NativeImage>();
  const iconOf = (look: TrayLook): NativeImage => {
    const icon = icons.get(look) ?? scaledImage(TRAY_SIZE, (canvas) => drawTrayIcon(canvas, look));
    icons.set(look, icon);
    return icon;
  };
  const tray = new Tray(iconOf('disconnected'));
  tray.on('click', () => actions.open());
  return () => {
    const present = facts();
    tray.setImage(iconOf(trayLook(present)));
    tray.setToolTip(trayTip(present));
    tray.setContextMenu(Menu.buildFromTemplate(trayMenu(present, actions)));
  };
}
