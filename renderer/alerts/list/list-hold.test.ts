import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { OWN_REST_MS, PARKED_MS, REST_MS, createListHold } from './list-hold.ts';

let time = 0;
const hold = () => createListHold(() => time);
const move = (pointerType: string) => dispatchEvent(Object.assign(new Event('pointermove'), { pointerType }));

beforeEach(() => {
  time = 10_000;
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  vi.stubGlobal('dispatchEvent', target.dispatchEvent.bind(target));
});
afterEach(() => vi.unstubAllGlobals());

it('holds until the pointer rests, shorter for what the person did', () => {
  const list = hold();
  expect(list.remaining()).toBe(0);
  list.moved();
  expect(list.remaining()).toBe(REST_MS);
  time += OWN_REST_MS;
  expect(list.remaining(OWN_REST_MS)).toBe(0);
  expect(list.remaining()).toBe(REST_MS - OWN_REST_MS);
  list.moved();
  expect(list.remaining()).toBe(REST_MS);
});

it('lets go when the pointer leaves, and says so', () => {
  const list = hold();
  const released = vi.fn<() => void>();
  const stop = list.onRelease(released);
  list.moved();
  list.left();
  expect(list.remaining()).toBe(0);
  expect(released).toHaveBeenCalledTimes(1);
  stop();
  list.left();
  expect(released).toHaveBeenCalledTimes(1);
});

it('lets go when the mouse moves elsewhere, where the card under it has gone and no leaving is reported', () => {
  const list = hold();
  const released = vi.fn<() => void>();
  list.moved(100);
  list.onRelease(released);
  move('mouse');
  list.moved(101);
  move('mouse');
  move('touch');
  expect([list.mouseAt(), list.remaining(), released.mock.calls]).toEqual([101, REST_MS, []]);
  move('mouse');
  expect([list.mouseAt(), list.remaining(), released.mock.calls]).toEqual([undefined, 0, [[]]]);
  move('mouse');
  expect(released).toHaveBeenCalledTimes(1);
});

it('holds as long as a pointer is down, also beyond the list, and rests after it', () => {
  const list = hold();
  list.moved();
  list.pressed();
  list.left();
  time += 60_000;
  expect(list.remaining()).toBeGreaterThan(0);
  dispatchEvent(new Event('pointerup'));
  expect(list.remaining()).toBe(REST_MS);
  time += REST_MS;
  expect(list.remaining()).toBe(0);
});

it.each(['pointerup', 'pointercancel'])('says so at %s, each time that a pointer was down', (type) => {
  const list = hold();
  const released = vi.fn<() => void>();
  list.onRelease(released);
  for (const times of [1, 2]) {
    list.pressed();
    dispatchEvent(new Event(type));
    expect(released).toHaveBeenCalledTimes(times);
  }
});

it('holds after a key, whatever the pointer does', () => {
  const list = hold();
  list.typed();
  list.left();
  expect(list.remaining()).toBe(REST_MS);
});

const ROWS = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, start: 100 + at * 64, end: 164 + at * 64 }));

it('keeps what is under a mouse at rest, and above it while the list is not scrolled by as much', () => {
  const list = hold();
  let scrollTop = 0;
  list.drew(ROWS, () => scrollTop);
  expect(list.isUnderMouse(new Set('abcd'))).toBe(false);
  list.moved(250);
  time += REST_MS;
  expect(list.remaining()).toBe(0);
  expect(list.isUnderMouse(new Set('d'))).toBe(false);
  expect(list.isUnderMouse(new Set('c'))).toBe(true);
  expect(list.isUnderMouse(new Set('a'))).toBe(true);
  scrollTop = 64;
  expect(list.isUnderMouse(new Set('a'))).toBe(false);
  // The row under it is the fourth now.
  expect(list.isUnderMouse(new Set('bc'))).toBe(true);
  expect(list.isUnderMouse(new Set('d'))).toBe(true);
  list.left();
  expect(list.isUnderMouse(new Set('abcd'))).toBe(false);
});

it('says when the mouse is over another row, or the list was scrolled; a finger rests nowhere', () => {
  const list = hold();
  const released = vi.fn<() => void>();
  list.onRelease(released);
  list.drew(ROWS, () => 0);
  list.moved();
  expect(list.isUnderMouse(new Set('abcd'))).toBe(false);
  list.moved(110);
  expect(released).toHaveBeenCalledTimes(1);
  list.moved(120);
  expect(released).toHaveBeenCalledTimes(1);
  list.moved(170);
  expect(released).toHaveBeenCalledTimes(2);
  list.scrolled();
  expect(released).toHaveBeenCalledTimes(3);
});

const pass = (ms: number): void => {
  time += ms;
  vi.advanceTimersByTime(ms);
};

it('lets go of what is under a mouse that has not moved for two minutes', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const list = hold();
  list.drew(ROWS, () => 0);
  list.moved(250);
  pass(PARKED_MS - 1000);
  list.moved(251);
  const released = vi.fn<() => void>();
  list.onRelease(released);
  pass(PARKED_MS - 1);
  expect([list.isUnderMouse(new Set('c')), released.mock.calls.length]).toEqual([true, 0]);
  pass(1);
  expect([list.isUnderMouse(new Set('c')), released.mock.calls.length]).toEqual([false, 1]);
});
