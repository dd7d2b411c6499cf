import { type Shape, anyOf, stroke } from './canvas.ts';

type Points = readonly (readonly [number, number])[];

/** Points on an ellipse, from one angle to another in degrees; 0 is to the right, 90 down. */
function arc(x: number, y: number, radiusX: number, radiusY: number, from: number, to: number): Points {
  const steps = 16;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((from + ((to - from) * step) / steps) * Math.PI) / 180;
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)] as const;
  });
}

/** Digits and the plus sign as strokes, in a box 6 wide and 10 high. A system's fonts cannot be had without a page. */
const GLYPHS: Readonly<Record<string, readonly Points[]>> = {
  0: [arc(3, 5, 3, 5, 0, 360)],
  1: [
    [
      [0.8, 2.2],
      [3.4, 0],
      [3.4, 10],
    ],
  ],
  2: [[...arc(3, 3, 3, 3, 190, 380), [5.4, 4.8], [0, 10], [6, 10]]],
  3: [arc(2.9, 2.5, 2.7, 2.5, 200, 450), arc(2.9, 7.4, 3.1, 2.6, 270, 520)],
  4: [
    [
      [4.6, 10],
      [4.6, 0],
      [0, 7],
      [6, 7],
    ],
  ],
  5: [[[5.6, 0], [0.9, 0], [0.5, 4.7], ...arc(2.8, 6.8, 3.1, 3.2, 225, 505)]],
  6: [arc(3, 6.8, 3, 3.2, 0, 360), arc(5.6, 6.8, 5.6, 7.6, 180, 265)],
  7: [
    [
      [0, 0],
      [6, 0],
      [2, 10],
    ],
  ],
  8: [arc(3, 2.4, 2.5, 2.4, 0, 360), arc(3, 7.4, 3, 2.6, 0, 360)],
  9: [arc(3, 3.2, 3, 3.2, 0, 360), arc(0.4, 3.2, 5.6, 7.6, 0, 85)],
  '+': [
    [
      [3, 2.4],
      [3, 8.4],
    ],
    [
      [0, 5.4],
      [6, 5.4],
    ],
  ],
};

const WIDTH = 6;
const HEIGHT = 10;

/** How digits are set: in a square of `units`, so high, with such a pen, and a digit's width as a share of its usual one. */
export interface Setting {
  units: number;
  height: number;
  pen: number;
  narrow: number;
}

/** A text of digits and plus signs in the middle of a square. */
export function digits(text: string, { units, height, pen, narrow }: Setting): Shape {
  const scale = height / HEIGHT;
  const gap = pen * 1.7;
  const advance = WIDTH * scale * narrow + gap;
  const left = (units - (advance * text.length - gap)) / 2;
  const top = (units - height) / 2;
  return anyOf(
    ...[...text].flatMap((character, index) =>
      (GLYPHS[character] ?? []).map((points) =>
        stroke(
          points.map(([x, y]) => [left + index * advance + x * scale * narrow, top + y * scale]),
          pen,
        ),
      ),
    ),
  );
}
