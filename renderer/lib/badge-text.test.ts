import { expect, test } from 'vitest';
import { badgeText, initialsOf } from '#renderer/lib/badge-text.ts';

test.each([
  [undefined, undefined],
  [0, undefined],
  [1, '1'],
  [99, '99'],
  [100, '99+'],
])('a count of %s reads %s', (count, text) => {
  expect(badgeText(count)).toBe(text);
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
