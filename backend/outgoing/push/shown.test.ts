import { expect, test } from 'vitest';
import { createShown, rememberSeveral, withdraw } from './shown.ts';

const HOUR_MS = 60 * 60_000;
const RULES = { notifiedMemory: 2, countedMemory: 4, withdrawWithinMs: HOUR_MS, gatherMs: 0 };

test('a count that is too old to be taken back is forgotten with the next alert that is over, whichever it is', () => {
  const shown = createShown();
  rememberSeveral(shown, { alertIds: ['1', '2', '3'], isMore: false }, RULES, 0);
  const overAt = (now: number) => withdraw(shown, { alertId: 'another', acceptedBy: 'Ben' }, () => false, RULES, now);
  overAt(HOUR_MS);
  expect(shown.several?.times.size).toBe(3);
  overAt(HOUR_MS + 1);
  expect(shown.several).toBeUndefined();
});
