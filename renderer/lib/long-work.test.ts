import { expect, test } from 'vitest';
import { type LongWork, followWork, settleWork } from './long-work.ts';

/** Begins work that is done when it is finished. */
function begin(left: number): { work: LongWork; done: Promise<void>; finish: () => void } {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const work: LongWork = { left, stop: () => undefined };
  followWork(work, done);
  const finish = (): void => {
    work.left = 0;
    resolve();
  };
  return { work, done, finish };
}

const never = new Promise(() => undefined);

test('what goes on with what was waited for is waited for as well', async () => {
  const first = begin(1);
  const next = first.done.then(() => begin(2));
  const settled = settleWork(never);
  first.finish();
  const second = await next;
  const other = Promise.resolve('not settled');
  await new Promise(setImmediate);
  expect(await Promise.race([settled, other])).toBe('not settled');
  second.finish();
  expect(await settled).toEqual([]);
});

test('what began in time and was not finished is what was lost', async () => {
  const first = begin(1);
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const next = first.done.then(() => begin(2));
  const settled = settleWork(late);
  first.finish();
  const second = await next;
  await new Promise(setImmediate);
  resolve();
  expect(await settled).toEqual([second.work]);
});
