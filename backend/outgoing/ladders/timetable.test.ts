import { expect, test } from 'vitest';
import type { Ladder } from '#backend/contract/ladder.ts';
import { createFollowedClock } from '#backend/platform/database/followed-clock.ts';
import { boundedDue, gapBefore, timetableOf } from './timetable.ts';

const ONLINE = [{ kind: 'online' as const }];
const ladder = (minutes: number[], repeat = 0): Ladder => ({
  steps: minutes.map((afterMinutes) => ({ afterMinutes, recipients: ONLINE })),
  repeat,
  isUrgent: false,
});
const MINUTE = 60_000;

test('a ladder goes through its steps, repeats them five minutes after the last, and ends with the administrators', () => {
  const timetable = timetableOf(ladder([0, 5, 15], 2));
  expect(timetable.map(({ round, step, afterMs }) => `${round}.${step?.number ?? 'end'} ${afterMs / MINUTE}`)).toEqual([
    '0.1 0',
    '0.2 5',
    '0.3 15',
    '1.1 20',
    '1.2 25',
    '1.3 35',
    '2.1 40',
    '2.2 45',
    '2.3 55',
    '2.end 60',
  ]);
  expect(timetable.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a step waits for its distance to the one before it at most, whatever became of the clock while nobody led', () => {
  const timetable = timetableOf(ladder([1, 5, 15]));
  expect([0, 1, 2, 3].map((position) => gapBefore(timetable, position) / MINUTE)).toEqual([1, 4, 10, 5]);
  const now = Date.UTC(2026, 9, 25, 1, 0);
  // In time, late, and after a clock that was set back by an hour.
  expect(boundedDue(now + 3 * MINUTE, 4 * MINUTE, now)).toBe(now + 3 * MINUTE);
  expect(boundedDue(now - 90 * MINUTE, 4 * MINUTE, now)).toBe(now - 90 * MINUTE);
  expect(boundedDue(now + 63 * MINUTE, 4 * MINUTE, now)).toBe(now + 4 * MINUTE);
});

test('elapsed time decides: the hour that clocks repeat or leave out moves no step', () => {
  const [, second] = timetableOf(ladder([0, 30]));
  for (const start of ['2026-03-29T00:45:00Z', '2026-10-25T00:45:00Z'].map((text) => Date.parse(text))) {
    expect(new Date(start + (second?.afterMs ?? 0)).toISOString()).toBe(new Date(start + 30 * MINUTE).toISOString());
  }
});

test('a clock that is set forward or back hurries and delays nothing, and says by how much it was set', async () => {
  let wall = 1_000_000_000_000;
  let running = 500;
  const pass = (ms: number): void => {
    wall += ms;
    running += ms;
  };
  const clock = createFollowedClock(
    async () => wall,
    () => running,
  );
  expect(await clock.now()).toMatchObject({ now: 1_000_000_000_000, jumpMs: 0 });
  pass(6_000);
  expect(await clock.now()).toMatchObject({ now: 1_000_000_006_000, jumpMs: 0 });
  wall += 3_600_000;
  pass(6_000);
  const forward = await clock.now();
  expect(forward).toMatchObject({ now: 1_000_003_612_000, jumpMs: 3_600_000 });
  // What is stored was not moved, because the database was away: it is asked for again.
  expect(await clock.now()).toMatchObject({ jumpMs: 3_600_000 });
  forward.moved();
  pass(6_000);
  expect(await clock.now()).toMatchObject({ now: 1_000_003_618_000, jumpMs: 0 });
  wall -= 7_200_000;
  pass(6_000);
  expect(await clock.now()).toMatchObject({ now: 999_996_424_000, jumpMs: -7_200_000 });
});
