import { expect, test } from 'vitest';
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
function picture(text: string): string[] {
  const { pixels, size } = drawBadge(text);
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (__, column) => {
      const [blue = 0, , red = 0, alpha = 0] = pixels.subarray((row * size + column) * 4);
      if (alpha < 128) return ' ';
      return blue > 140 && red > 140 ? '#' : '.';
    }).join(''),
  );
}

test('the text is white on a round ground of 16 pixels', () => {
  expect(picture('42')).toMatchInlineSnapshot(`
    [
      "     ......     ",
      "   ..........   ",
      "  ............  ",
      " .............. ",
      " ...##...####.. ",
      "...###..##..##..",
      "..####......##..",
      ".##.##.....##...",
      ".##.##....##....",
      ".######..##.....",
      "....##..##......",
      " ...##..######. ",
      " .............. ",
      "  ............  ",
      "   ..........   ",
      "     ......     ",
    ]
  `);
});

const TEXTS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '42', '88', '99', '99+'];

test('every text differs from the others, and leaves the rim free', () => {
  const pictures = TEXTS.map((text) => picture(text));
  expect(new Set(pictures.map((rows) => rows.join('\n'))).size).toBe(TEXTS.length);
  for (const rows of pictures) {
    expect(rows.every((row) => !row.trim().startsWith('#') && !row.trim().endsWith('#'))).toBe(true);
    expect(rows.join('')).toContain('#');
  }
});

test.each(TEXTS)('every pixel of the text %s is all white or all red: nothing of it is a blur', (text) => {
  const { pixels, size } = drawBadge(text);
  const greens = new Set<number>();
  for (let row = 3; row < 13; row += 1)
    for (let column = 2; column < 14; column += 1) greens.add(pixels[(row * size + column) * 4 + 1] ?? -1);
  expect([...greens].toSorted((one, other) => one - other)).toEqual([66, 255]);
});
