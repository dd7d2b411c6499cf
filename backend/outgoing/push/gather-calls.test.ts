import { expect, test } from 'vitest';
import { gatherCalls } from './gather-calls.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const surround = (fail: (items: string[]) => boolean = () => false) => {
  const calls: string[][] = [];
  const call = gatherCalls<string>(async (items) => {
    calls.push(items);
    if (fail(items)) throw new Error(`no ${items}`);
  }, 5);
  return { calls, call };
};

test('calls that come within a moment are one, those after it another', async () => {
  const { calls, call } = surround();
  await Promise.all(['1', '2', '3'].map(call));
  await Promise.all(['4', '5'].map(call));
  expect(calls).toEqual([
    ['1', '2', '3'],
    ['4', '5'],
  ]);
});

test('what comes while one is in flight waits for the next', async () => {
  const ends: (() => void)[] = [];
  const begun: string[][] = [];
  const call = gatherCalls<string>((items) => {
    begun.push(items);
    return new Promise((resolve) => ends.push(resolve));
  }, 1);
  const first = call('1');
  await waitFor(() => expect(begun).toEqual([['1']]));
  const second = call('2');
  await waitFor(() => expect(begun).toEqual([['1'], ['2']]));
  for (const end of ends) end();
  await Promise.all([first, second]);
});

test('where it fails, each call does, and the next does not', async () => {
  const { call } = surround((items) => items.includes('bad'));
  const ended = await Promise.allSettled(['1', 'bad'].map(call));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(call('2')).resolves.toBeUndefined();
});
