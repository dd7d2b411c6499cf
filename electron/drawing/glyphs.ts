import type { Shape } from './canvas.ts';

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
