import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkWhenBack } from './check-when-back.ts';

let page: EventTarget & { visibilityState: string };

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', page);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['online', true],
  ['offline', false],
  ['focus', false],
  ['pageshow', false],
])('the connection is checked upon %s, of another network: %s', (type, isOfOtherNetwork) => {
  const check = vi.fn<(isOtherNetwork?: boolean) => void>();
  const stop = checkWhenBack({ check });
  window.dispatchEvent(new Event(type));
  expect(check.mock.calls).toEqual([[isOfOtherNetwork]]);
  stop();
  window.dispatchEvent(new Event(type));
  expect(check).toHaveBeenCalledOnce();
});

test('the connection is checked when the page is shown or goes on, not when it is hidden', () => {
  const check = vi.fn<() => void>();
  const stop = checkWhenBack({ check });
  page.dispatchEvent(new Event('visibilitychange'));
  page.dispatchEvent(new Event('resume'));
  expect(check).toHaveBeenCalledTimes(2);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(check).toHaveBeenCalledTimes(2);
  stop();
});

test('the connection of a page in front is checked when the machine wakes up', () => {
  const check = vi.fn<() => void>();
  const stop = checkWhenBack({ check });
  vi.advanceTimersByTime(60_000);
  expect(check).not.toHaveBeenCalled();
  // Timers stand still in a sleep.
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(2_000);
  expect(check).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(60_000);
  expect(check).toHaveBeenCalledOnce();
  stop();
  vi.setSystemTime(Date.now() + 600_000);
  vi.advanceTimersByTime(2_000);
  expect(check).toHaveBeenCalledOnce();
});
