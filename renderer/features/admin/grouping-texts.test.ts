import { expect, test } from 'vitest';
import { minutes } from './grouping-texts.ts';

test.each([
  [1, '1 min'],
  [60, '1 h'],
  [100, '100 min'],
  [720, '12 h'],
])('a pause of %i minutes, as the API may set it, reads %s', (count, text) => {
  expect(minutes(count)).toBe(text);
});
