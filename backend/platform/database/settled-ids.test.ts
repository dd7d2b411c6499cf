import { expect, test } from 'vitest';
import { firstIdAt } from './ids.ts';
import { createSettledIds } from './settled-ids.ts';

const SETTLED_MS = 30_000;
const NOW = Date.parse('2026-11-24T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1_000;

const time = { wall: NOW, running: 0 };
const pass = (milliseconds: number) => {
  time.wall += milliseconds;
  time.running += milliseconds;
};
function start() {
  time.wall = NOW;
  time.running = 0;
  return createSettledIds(SETTLED_MS, { wall: () => time.wall, running: () => time.running });
}

test('an id is settled when it has been the newest for so long, whatever time it names', () => {
  const settled = start();
  expect(settled('')).toBe('');
  const first = firstIdAt(NOW - 10);
  expect(settled(first)).toBe(firstIdAt(NOW - SETTLED_MS));
  // Another server whose clock is ahead stores one: what is stored here in the next seconds is below it.
  const ahead = firstIdAt(NOW + 3 * DAY_MS);
  pass(2_000);
  expect(settled(ahead)).toBe(firstIdAt(NOW - SETTLED_MS));
  pass(SETTLED_MS - 2_000);
  expect(settled(ahead)).toBe(first);
  pass(2_000);
  expect(settled(firstIdAt(NOW + 3 * DAY_MS + 5))).toBe(ahead);
});

test('at the first look all that is old is settled, but nothing above the newest where the clock is ahead', () => {
  const old = firstIdAt(NOW - DAY_MS);
  expect(start()(old)).toBe(old);
});

test('it never goes back', () => {
  const settled = start();
  const newest = firstIdAt(NOW);
  const first = settled(newest);
  time.wall -= 3 * DAY_MS;
  for (let second = 0; second < 60; second += 1) {
    time.running += 1_000;
    expect(settled(newest) >= first).toBe(true);
  }
  expect(settled(newest)).toBe(newest);
});

test('where ids settle at once, each look settles the newest', () => {
  const settled = createSettledIds(0, { wall: () => NOW, running: () => 0 });
  for (const moment of [NOW - 30, NOW - 20, NOW - 10]) expect(settled(firstIdAt(moment))).toBe(firstIdAt(moment));
});
