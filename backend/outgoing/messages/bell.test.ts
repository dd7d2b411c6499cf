import { expect, test } from 'vitest';
import { createBell } from './bell.ts';

const forever = 60_000;

test('a ring wakes who sleeps, and keeps awake who was at work when it came', async () => {
  const bell = createBell();
  const { signal } = new AbortController();
  const sleeping = bell.sleep(forever, signal);
  bell.ring();
  await sleeping;
  // It rang since the work began.
  await bell.sleep(forever, signal);
  bell.reset();
  let isAwake = false;
  const again = bell.sleep(forever, signal).then(() => (isAwake = true));
  await Promise.resolve();
  expect(isAwake).toBe(false);
  bell.ring();
  await again;
});

test('nobody sleeps longer than asked, or after the stop', async () => {
  const bell = createBell();
  const stopping = new AbortController();
  await bell.sleep(5, stopping.signal);
  const began = performance.now();
  const sleeping = bell.sleep(forever, stopping.signal);
  stopping.abort();
  await sleeping;
  await bell.sleep(forever, stopping.signal);
  expect(performance.now() - began).toBeLessThan(forever);
});
