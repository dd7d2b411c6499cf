import { expect, test } from 'vitest';
import { badgeText, countText, initialsOf } from './badge-text.ts';

test.each([
  [undefined, undefined],
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('a count of %s reads %s', (count, text) => {
  expect(badgeText(count)).toBe(text);
});

test.each([0, 7, 999, 1_000, 12_345, 999_999, 1_000_000])('%s in full reads as the browser writes it', (count) => {
  expect(countText(count)).toBe(count.toLocaleString('en-US'));
});

test.each([
  ['Maya Lindqvist', 'ML'],
  ['  maya  van der  Berg ', 'MB'],
  ['User', 'U'],
  ['𝒜da Lovelace', '𝒜L'],
  ['👩‍🚒 on 🇩🇪-duty', '👩‍🚒🇩🇪'],
  ['', ''],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
