import { EventEmitter } from 'node:events';
import type { UtilityProcess } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UpdateProgress } from '#electron/contract/server-choice.ts';
import { whenListening } from './when-listening.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

/** A server's process that reports what a test says. */
function startChild() {
  const kill = vi.fn<() => boolean>(() => true);
  const child = Object.assign(new EventEmitter(), { kill }) as unknown as UtilityProcess & EventEmitter;
  const progress: UpdateProgress[] = [];
  const started = whenListening(child, (reached) => progress.push(reached)).then(
    ({ origin }) => origin,
    (error: Error) => error.message,
  );
  const report = (message: object) => child.emit('message', message);
  return { child, kill, progress, started, report };
}

test('one that does not listen within a minute is ended', async () => {
  const { kill, started } = startChild();
  vi.advanceTimersByTime(MINUTE);
  expect(await started).toBe('The server on this computer did not start within a minute.');
  expect(kill).toHaveBeenCalledOnce();
});

test('one that updates its database is waited for, and has a minute again after that', async () => {
  const { kill, progress, started, report } = startChild();
  vi.advanceTimersByTime(MINUTE - 1);
  report({ type: 'updating', done: 0, total: 2 });
  vi.advanceTimersByTime(10 * MINUTE);
  report({ type: 'updating', done: 1, total: 2 });
  vi.advanceTimersByTime(10 * MINUTE);
  report({ type: 'updating', done: 2, total: 2 });
  vi.advanceTimersByTime(MINUTE - 1);
  expect(kill).not.toHaveBeenCalled();
  report({ type: 'listening', url: 'http://127.0.0.1:4400' });
  expect(await started).toBe('http://127.0.0.1:4400');
  expect(progress).toEqual([0, 1, 2].map((done) => ({ done, total: 2 })));
});

test('one that hangs after its update is ended', async () => {
  const { kill, started, report } = startChild();
  report({ type: 'updating', done: 2, total: 2 });
  vi.advanceTimersByTime(MINUTE);
  expect(await started).toContain('did not start');
  expect(kill).toHaveBeenCalledOnce();
});
