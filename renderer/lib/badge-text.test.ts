import { expect, test } from 'vitest';
import { badgeText } from './badge-text.ts';

test.each([
  [undefined, undefined],
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('a count of %s reads %s', (count, text) => {
  expect(badgeText(count)).toBe(text);
});
