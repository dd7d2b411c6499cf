import { expect, test } from 'vitest';
import { createEndedServers } from './ended-servers.ts';

/** What is said of a server after each of these answers of Redis. */
async function saidAfter(answers: readonly (boolean | undefined)[]): Promise<boolean[]> {
  let at = -1;
  const ended = createEndedServers(async () => answers[(at += 1)]);
  const said: boolean[] = [];
  for (const _ of answers) said.push(await ended.hasEnded('leader'));
  return said;
}

test('a server has ended when it was on Redis and is missed twice in a row', async () => {
  expect(await saidAfter([true, false, false])).toEqual([false, false, true]);
  expect(await saidAfter([true, false, true, false])).toEqual([false, false, false, false]);
});

test('a server that was never seen on Redis, or not since Redis was away, has not ended', async () => {
  expect(await saidAfter([false, false, false])).toEqual([false, false, false]);
  expect(await saidAfter([true, undefined, false, false])).toEqual([false, false, false, false]);
});

test('what is known of one server says nothing of another, and nothing without Redis', async () => {
  let isThere = true;
  const ended = createEndedServers(async () => isThere);
  await ended.hasEnded('one');
  isThere = false;
  expect([await ended.hasEnded('other'), await ended.hasEnded('other')]).toEqual([false, false]);
  expect(await createEndedServers(undefined).hasEnded('one')).toBe(false);
});
