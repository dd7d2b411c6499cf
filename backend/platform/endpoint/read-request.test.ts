import { expect, test } from 'vitest';
import { bearerToken } from './read-request.ts';

test.each([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer   abc ', 'abc'],
  ['Bearer abc def', ''],
  ['Bearer', ''],
  ['Bearerabc', ''],
  ['Basic abc', ''],
  [undefined, ''],
])('the token of %j is %j', (authorization, token) => {
  expect(bearerToken(authorization)).toBe(token);
});
