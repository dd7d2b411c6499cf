import { expect, test } from 'vitest';
import { createCanvas } from '#electron/drawing/canvas.ts';
import { badgeDescription, badgeText, drawBadge } from './draw-badge.ts';

test.each([
  [0, undefined, ''],
  [1, '1', '1 new alert'],
  [99, '99', '99 new alerts'],
  [100, '99+', '99+ new alerts'],
  [12_345, '99+', '99+ new alerts'],
])('%d alerts read %s', (count, text, description) => {
  expect(badgeText(count)).toBe(text);
  expect(badgeDescription(count)).toBe(description);
});

/** What a badge looks like: red, white or neither, a character for each pixel. */
function picture(text: string, size: number): string[] {
  const canvas = createCanvas(size);
  drawBadge(canvas, text);
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => {
      const [blue = 0, , red = 0, alpha = 0] = canvas.pixels.subarray((row * size + column) * 4);
      if (alpha < 128) return ' ';
      return blue > 140 && red > 140 ? '#' : '.';
    }).join(''),
  );
}

test('the digit is white on a round ground', () => {
  expect(picture('1', 16)).toMatchInlineSnapshot(`
    [
      "     ......     ",
      "   ..........   ",
      "  ............  ",
      " ......##...... ",
      " .....###...... ",
      ".....####.......",
      "......###.......",
      ".......##.......",
      ".......##.......",
      ".......##.......",
      ".......##.......",
      " ......##...... ",
      " ......##...... ",
      "  ............  ",
      "   ..........   ",
      "     ......     ",
    ]
  `);
});

test.each([16, 20, 24, 32])('every text differs from the others at %d pixels, and leaves the rim free', (size) => {
  const texts = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '42', '88', '99', '99+'];
  const pictures = texts.map((text) => picture(text, size));
  expect(new Set(pictures.map((rows) => rows.join('\n'))).size).toBe(texts.length);
  for (const rows of pictures) {
    expect(rows.every((row) => !row.startsWith('#') && !row.endsWith('#'))).toBe(true);
    expect(rows.join('')).toContain('#');
  }
});
