import process from 'node:process';
import { Menu, type NativeImage, Tray, nativeImage, screen } from 'electron';
import { type Canvas, createCanvas } from '#electron/drawing/canvas.ts';
import { TRAY_SIZE, type TrayLook, drawTrayIcon } from './draw-tray-icon.ts';
import { type TrayActions, type TrayFacts, trayLook, trayMenu, trayTip } from './tray-menu.ts';

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

/** The scalings of displays that systems other than Windows pick from by themselves. */
const SCALE_FACTORS = [1, 2] as const;

/**
 * An image for the tray that is sharp on a display of this scaling. Windows gets one of exactly as many pixels as it shows:
 * Electron makes its icon of the representation at 1 alone. Others choose among representations.
 *
 * @param size in logical pixels
 */
export function scaledImage(size: number, scaleFactor: number, draw: (canvas: Canvas) => void): NativeImage {
  const drawn = (pixels: number): NativeImage => {
    const canvas = createCanvas(Math.round(pixels));
    draw(canvas);
    return nativeImage.createFromBitmap(canvas.pixels, { width: canvas.size, height: canvas.size });
  };
  if (process.platform === 'win32') return drawn(size * scaleFactor);
  const image = nativeImage.createEmpty();
  // As PNG: a representation from a bitmap would need the platform's own order of bytes.
  for (const scale of SCALE_FACTORS)
    image.addRepresentation({ scaleFactor: scale, dataURL: drawn(size * scale).toDataURL() });
  return image;
}
