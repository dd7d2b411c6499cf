import { expect, test } from 'vitest';
import { newDraft } from './window-draft.ts';

test.each([
  ['2026-11-29T10:10:00Z', 'UTC', '2026-11-29 11:00'],
  ['2026-11-29T10:10:00Z', 'Asia/Kolkata', '2026-11-29 16:00'],
  ['2026-11-29T10:10:00Z', 'Asia/Kathmandu', '2026-11-29 16:00'],
  // Clocks are put forward, then back: what they show twice has passed once.
  ['2026-03-29T00:30:00Z', 'Europe/Berlin', '2026-03-29 03:00'],
  ['2026-10-25T01:30:00Z', 'Europe/Berlin', '2026-10-25 03:00'],
])('at %s in %s a new window begins at the next full hour of the clocks, %s', (now, timeZone, start) => {
  const { date, time } = newDraft(Date.parse(now), timeZone);
  expect(`${date} ${time}`).toBe(start);
});
