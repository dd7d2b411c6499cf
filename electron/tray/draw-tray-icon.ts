import { type Canvas, type Color, anyOf, circle, fill, roundedBox } from '#electron/drawing/canvas.ts';

/** What the icon shows: an empty inbox, pending alerts, nobody signed in, no connection to the server. */
export type TrayLook = 'quiet' | 'unread' | 'signed-out' | 'disconnected';

export const TRAY_SIZE = 16;

const ACCENT: Color = [45, 114, 210];
const GRAY: Color = [115, 128, 145];
const WHITE: Color = [255, 255, 255];
const RED: Color = [205, 66, 70];
const GOLD: Color = [209, 152, 11];

/** The product's mark, a bell on the accent; gray where no alerts come; a dot in the corner for what asks for attention. */
export function drawTrayIcon(canvas: Canvas, look: TrayLook): void {
  const isOff = look === 'disconnected' || look === 'signed-out';
  fill(canvas, TRAY_SIZE, roundedBox(0, 0, 16, 16, 3.5), isOff ? GRAY : ACCENT);
  const bell = anyOf(
    roundedBox(5, 3.4, 6, 7.6, 3),
    roundedBox(5, 6, 6, 5, 0.4),
    roundedBox(3.4, 10, 9.2, 1.6, 0.8),
    circle(8, 12.4, 1.2),
  );
  fill(canvas, TRAY_SIZE, bell, WHITE);
  if (look === 'quiet' || look === 'signed-out') return;
  fill(canvas, TRAY_SIZE, circle(12.4, 3.6, 3.6), WHITE);
  fill(canvas, TRAY_SIZE, circle(12.4, 3.6, 2.8), look === 'unread' ? RED : GOLD);
}
