import { type Canvas, type Color, circle, createCanvas, fill } from '#electron/drawing/canvas.ts';
import { digits } from '#electron/drawing/glyphs.ts';

/** Electron makes every overlay 16 pixels wide, at any scaling, and Windows enlarges that: one drawing, for these pixels. */
const BADGE_SIZE = 16;

/** Blueprint's red-3, as calm as it can be and still be seen on any taskbar. */
const RED: Color = [205, 66, 70];
const WHITE: Color = [255, 255, 255];

/** What the badge says of the inbox's size: 1 to 99+; undefined for none. */
export function badgeText(count: number): string | undefined {
  if (count <= 0) return undefined;
  return count > 99 ? '99+' : String(count);
}

/** What the badge says to who cannot see it. */
export const badgeDescription = (count: number): string =>
  count === 0 ? '' : `${badgeText(count)} new ${count === 1 ? 'alert' : 'alerts'}`;

/** Draws the badge: a disc with the text in it. */
export function drawBadge(text: string): Canvas {
  const canvas = createCanvas(BADGE_SIZE);
  fill(canvas, BADGE_SIZE, circle(8, 8, 8), RED);
  fill(canvas, BADGE_SIZE, digits(text, BADGE_SIZE), WHITE);
  return canvas;
}
