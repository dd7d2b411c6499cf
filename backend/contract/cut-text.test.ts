import { expect, test } from 'vitest';
import { cutText, firstCharacter, startOfCharacter } from './cut-text.ts';

const FAMILY = '👨‍👩‍👧';
const FLAG = '🇩🇪';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  [`${FLAG}${FAMILY}é`, 3, `${FLAG}${FAMILY}é`],
  [`${FLAG}${FAMILY}${FLAG}${FAMILY}`, 3, `${FLAG}${FAMILY}…`],
  ['', 3, ''],
  ['ab', 1, '…'],
])('%j cut to %i characters is %j', (text, most, cut) => {
  expect(cutText(text, most)).toBe(cut);
});

test('a letter with marks without end is not kept whole', () => {
  const marked = `a${'\u0301'.repeat(100_000)}`;
  expect(cutText(marked, 10).length).toBeLessThan(400);
  expect(firstCharacter(marked).length).toBeLessThan(40);
});

test.each([
  [`${FAMILY}x`, FAMILY],
  ['é', 'é'],
  ['Änne', 'Ä'],
  ['𐐀x', '𐐀'],
  ['\r\n', '\r\n'],
  ['e\u0301x', 'e\u0301'],
  ['xe\u0301', 'x'],
  ['1\uFE0F\u20E3', '1\uFE0F\u20E3'],
  ['x', 'x'],
  ['', ''],
])('the first character of %j is %j', (text, first) => {
  expect(firstCharacter(text)).toBe(first);
});

test('a place within a character is moved to where it begins', () => {
  const text = `a${FLAG}b`;
  expect([0, 1, 2, 4, 5, 9].map((at) => startOfCharacter(text, at))).toEqual([0, 1, 1, 1, 5, 9]);
});
