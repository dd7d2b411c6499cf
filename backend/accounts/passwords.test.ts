import { expect, test } from 'vitest';
import { TRUSTED } from './hash-queue.ts';
import { createPasswords } from './passwords.ts';

const COST = 9;
const passwords = createPasswords(COST);

/** How long the quickest of five comparisons takes, in milliseconds: the machine delayed the others. */
async function quickest(hash: string | undefined): Promise<number> {
  const times: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const startedAt = performance.now();
    expect(await passwords.matches('a guess', hash, TRUSTED)).toBe(false);
    times.push(performance.now() - startedAt);
  }
  return Math.min(...times);
}

test('a password matches its own hash only', async () => {
  const hash = await passwords.hash('correct horse');
  expect(await passwords.matches('correct horse', hash, TRUSTED)).toBe(true);
  expect(await passwords.matches('correct horse ', hash, TRUSTED)).toBe(false);
  expect(await passwords.matches('correct horse', undefined, TRUSTED)).toBe(false);
});

test('a guess takes as long without an account as with one', async () => {
  const withAccount = await quickest(await passwords.hash('correct horse'));
  const without = await quickest(undefined);
  expect(without).toBeGreaterThan(withAccount / 2);
  expect(without).toBeLessThan(withAccount * 2);
});
