import { expect, test } from 'vitest';
import { snoozeText } from './incoming-rules-texts.ts';

test.each([
  [1, '1 minute'],
  [45, '45 minutes'],
  [60, '1 hour'],
])('a rule that snoozes for %i minutes says %s', (minutes, text) => {
  expect(snoozeText(minutes)).toBe(text);
});
