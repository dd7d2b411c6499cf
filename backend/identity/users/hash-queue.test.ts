import { expect, test } from 'vitest';
import { MAX_PENDING, TRUSTED, createHashQueue } from './hash-queue.ts';

/** A queue with work that ends on request, and the order in which work began. */
function createTrial() {
  const queue = createHashQueue();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, rank: number) =>
    queue.run(rank, () => {
      begun.push(name);
      return new Promise<string>((resolve) => {
        ends.push(() => resolve(name));
      });
    });
  /** Ends what runs until nothing is left. */
  const drain = async () => {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
  };
  return { queue, begun, add, drain };
}

test('two run at once; of those that are queued the lowest rank is next', async () => {
  const { begun, add, drain } = createTrial();
  const all = [add('a', 5), add('b', 5), add('c', 3), add('d', 2), add('e', 3), add('f', TRUSTED), add('g', TRUSTED)];
  await new Promise(setImmediate);
  expect(begun).toEqual(['a', 'b']);
  await drain();
  expect(begun).toEqual(['a', 'b', 'f', 'g', 'd', 'e', 'c']);
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('when too many are queued, the highest rank is rejected with 503 and Retry-After', async () => {
  const { add, drain } = createTrial();
  const flood = Array.from({ length: 2 + MAX_PENDING }, (_, index) => add(`flood ${index}`, 10 + index));
  const settled = Promise.allSettled(flood);
  const fresh = add('fresh', 1);
  await expect(add('one more', 99)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 });
  await new Promise(setImmediate);
  await drain();
  expect(await fresh).toBe('fresh');
  const refused = (await settled).flatMap((one, index) => (one.status === 'rejected' ? [index] : []));
  expect(refused).toEqual([1 + MAX_PENDING]);
});

test('a person who comes after a flood of strangers is next', async () => {
  const { begun, add, drain } = createTrial();
  const flood = Promise.allSettled(Array.from({ length: 400 }, (_, index) => add(`flood ${index}`, 1)));
  const person = add('person', 1);
  await new Promise(setImmediate);
  await drain();
  expect(await person).toBe('person');
  expect(begun[2]).toBe('person');
  expect((await flood).filter(({ status }) => status === 'fulfilled')).toHaveLength(2 + MAX_PENDING - 1);
});

test('work that fails frees its place for the next', async () => {
  const queue = createHashQueue();
  const failing = Array.from({ length: 5 }, () =>
    queue.run(1, async () => {
      throw new Error('broken');
    }),
  );
  expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await queue.run(1, async () => 'done')).toBe('done');
});
