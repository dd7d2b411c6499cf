import { type Canvas, type Color, type Shape, circle, createCanvas, fill } from '#electron/drawing/canvas.ts';

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

type Glyph = readonly string[];

/** Digits of two pixels' strokes. A smooth outline at this size is a blur; a system's fonts cannot be had without a page. */
const BOLD: Readonly<Record<string, Glyph>> = {
  0: [' #### ', '##  ##', '##  ##', '##  ##', '##  ##', '##  ##', '##  ##', ' #### '],
  1: ['  ##', ' ###', '####', '  ##', '  ##', '  ##', '  ##', '  ##'],
  2: [' #### ', '##  ##', '    ##', '   ## ', '  ##  ', ' ##   ', '##    ', '######'],
  3: [' #### ', '##  ##', '    ##', '  ### ', '    ##', '    ##', '##  ##', ' #### '],
  4: ['   ## ', '  ### ', ' #### ', '## ## ', '## ## ', '######', '   ## ', '   ## '],
  5: ['######', '##    ', '##### ', '    ##', '    ##', '    ##', '##  ##', ' #### '],
  6: [' #### ', '##  ##', '##    ', '##### ', '##  ##', '##  ##', '##  ##', ' #### '],
  7: ['######', '    ##', '    ##', '   ## ', '   ## ', '  ##  ', '  ##  ', '  ##  '],
  8: [' #### ', '##  ##', '##  ##', ' #### ', '##  ##', '##  ##', '##  ##', ' #### '],
  9: [' #### ', '##  ##', '##  ##', '##  ##', ' #####', '    ##', '##  ##', ' #### '],
};

/** The only text of three characters is `99+`. */
const NARROW: Readonly<Record<string, Glyph>> = {
  9: [' ## ', '#  #', '#  #', ' ###', '   #', '#  #', ' ## '],
  '+': ['   ', '   ', ' # ', '###', ' # ', '   ', '   '],
};

/**
 * A text of digits in the middle of a square, on whole pixels: a shape in a square of as many units as it has pixels. A
 * character that has no glyph leaves nothing.
 */
export function digits(text: string, side: number): Shape {
  const font = text.length > 2 ? NARROW : BOLD;
  const glyphs = [...text].map((character) => font[character] ?? []);
  const height = glyphs[0]?.length ?? 0;
  const rows = Array.from({ length: height }, (_, row) => glyphs.map((glyph) => glyph[row] ?? '').join(' '));
  const left = Math.floor((side - (rows[0]?.length ?? 0)) / 2);
  const top = Math.floor((side - height) / 2);
  // Half a unit inside or outside: a pixel is taken whole or not at all.
  return (x, y) => (rows[Math.floor(y) - top]?.[Math.floor(x) - left] === '#' ? -0.5 : 0.5);
}
