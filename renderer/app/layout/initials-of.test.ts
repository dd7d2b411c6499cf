import { expect, test } from 'vitest';
import { initialsOf } from './initials-of.ts';

test.each([
  ['Maya Lindqvist', 'ML'],
  ['  maya  van der  Berg ', 'MB'],
  ['User', 'U'],
  ['𝒜da Lovelace', '𝒜L'],
  ['', ''],
])('%j becomes %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
