import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFrameQueue } from './apply-event.ts';

let frames: (() => void)[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.splice(id - 1, 1));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('hands over everything that came before the next frame, once and in order', () => {
  const flushed: number[][] = [];
  const queue = createFrameQueue<number>((items) => flushed.push(items));
  queue.push([1, 2]);
  queue.push([3]);
  expect(flushed).toEqual([]);
  frames.shift()?.();
  vi.advanceTimersByTime(1000);
  expect(flushed).toEqual([[1, 2, 3]]);
});

it('calls back after what is pending, or at once', () => {
  const done: string[] = [];
  const queue = createFrameQueue<number>((items) => done.push(items.join(',')));
  queue.afterFlush(() => done.push('nothing was pending'));
  queue.push([1, 2]);
  queue.afterFlush(() => done.push('after it'));
  expect(done).toEqual(['nothing was pending']);
  frames.shift()?.();
  expect(done).toEqual(['nothing was pending', '1,2', 'after it']);
});

it('does not wait for frames that a hidden tab never gets', () => {
  const flushed: number[][] = [];
  const queue = createFrameQueue<number>((items) => flushed.push(items));
  queue.push([1]);
  vi.advanceTimersByTime(200);
  expect(flushed).toEqual([[1]]);
  expect(frames).toEqual([]);
});

it('drops what is pending once it is closed', () => {
  const flushed: number[][] = [];
  const queue = createFrameQueue<number>((items) => flushed.push(items));
  queue.push([1]);
  queue.close();
  queue.push([2]);
  vi.advanceTimersByTime(1000);
  expect(flushed).toEqual([]);
});
