import { expect, test } from 'vitest';
import { createPaces } from './pace.ts';

test('a burst goes at once, and what follows it waits for its turn', () => {
  let now = 1_000;
  const paces = createPaces(() => now);
  const pace = { everyMs: 100, burst: 3 };
  /** Waits for the turn, and sends what takes 10 ms. */
  const send = (key = 'one'): number => {
    const waited = paces.waitFor(key, pace);
    now += waited + 10;
    paces.use(key, pace);
    return waited;
  };
  expect([send(), send(), send(), send(), send()]).toEqual([0, 0, 0, 80, 90]);
  expect(send('another')).toBe(0);
  now += 10_000;
  expect([send(), send(), send(), send()]).toEqual([0, 0, 0, 80]);
});

test('a service that names no pace is never waited for', () => {
  const paces = createPaces(() => 5);
  const pace = { everyMs: 0, burst: 1 };
  paces.use('one', pace);
  expect(paces.waitFor('one', pace)).toBe(0);
});
