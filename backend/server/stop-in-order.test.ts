import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopInOrder, stopTogether } from './stop-in-order.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Ends parts of which one takes ten seconds, and says what was ended and what was logged. */
async function stopWithSlow(stop: typeof stopInOrder | typeof stopTogether) {
  const ended: string[] = [];
  const warn = vi.fn<(fields: object, message: string) => void>();
  const slowly = async (name: string, ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    ended.push(name);
  };
  const stopped = stop({ warn }, [
    ['push', () => slowly('push', 10_000)],
    ['feed', () => slowly('feed', 100)],
  ]);
  await vi.advanceTimersByTimeAsync(20_000);
  await stopped;
  return { ended, named: warn.mock.calls.map(([fields]) => fields) };
}

test('parts end one after the other, and one that takes long is named', async () => {
  expect(await stopWithSlow(stopInOrder)).toEqual({ ended: ['push', 'feed'], named: [{ stopping: 'push' }] });
});

test('parts that end together do not wait for each other', async () => {
  expect(await stopWithSlow(stopTogether)).toEqual({ ended: ['feed', 'push'], named: [{ stopping: 'push' }] });
});

test('a part that fails ends the stop with its error, and is not named later', async () => {
  const warn = vi.fn<(fields: object, message: string) => void>();
  const failed = stopInOrder({ warn }, [
    ['push', () => Promise.reject(new Error('No.'))],
    ['feed', () => expect.unreachable('a part behind the one that failed')],
  ]);
  await expect(failed).rejects.toThrow('No.');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(warn).not.toHaveBeenCalled();
});
