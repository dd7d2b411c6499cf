import { type Canvas, type Color, circle, fill } from '#electron/drawing/canvas.ts';
import { digits } from '#electron/drawing/glyphs.ts';

/** The taskbar's overlays are 16 logical pixels wide. */
export const BADGE_SIZE = 16;

/** Blueprint's red-3, as calm as it can be and still be seen on any taskbar. */
const RED: Color = [205, 66, 70];
const WHITE: Color = [255, 255, 255];

/** How one, two and three characters fit into the disc. */
const SETTINGS = [
  { height: 8.4, pen: 1.7, narrow: 0.9 },
  { height: 7.2, pen: 1.45, narrow: 0.78 },
  { height: 6, pen: 1.05, narrow: 0.72 },
] as const;

/** What the badge says of the inbox's size: 1 to 99+ (spec.md section 9); undefined for none. */
export function badgeText(count: number): string | undefined {
  if (count <= 0) return undefined;
  return count > 99 ? '99+' : String(count);
}

/** What the badge says to who cannot see it. */
export const badgeDescription = (count: number): string =>
  count === 0 ? '' : `${badgeText(count)} new ${count === 1 ? 'alert' : 'alerts'}`;

/** Draws the badge: a disc with the text in it, the smaller the longer. */
export function drawBadge(canvas: Canvas, text: string): void {
  fill(canvas, BADGE_SIZE, circle(8, 8, 8), RED);
  const setting = SETTINGS[text.length - 1] ?? SETTINGS[2];
  fill(canvas, BADGE_SIZE, digits(text, { units: BADGE_SIZE, ...setting }), WHITE);
}
