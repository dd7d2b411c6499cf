import { expect, test } from 'vitest';
import { TRUSTED } from './hash-queue.ts';
import { createPasswords } from './passwords.ts';

const COST = 9;
const passwords = createPasswords(COST);

/** How long one comparison takes, in milliseconds. */
async function timeOf(hash: string | undefined): Promise<number> {
  const startedAt = performance.now();
  expect(await passwords.matches('a guess', hash, TRUSTED)).toBe(false);
  return performance.now() - startedAt;
}

test('a password matches its own hash only', async () => {
  const hash = await passwords.hash('correct horse');
  expect(await passwords.matches('correct horse', hash, TRUSTED)).toBe(true);
  expect(await passwords.matches('correct horse ', hash, TRUSTED)).toBe(false);
  expect(await passwords.matches('correct horse', undefined, TRUSTED)).toBe(false);
});

test('a guess takes as long without an account as with one', async () => {
  const hash = await passwords.hash('correct horse');
  let withAccount = Infinity;
  let without = Infinity;
  // The quickest of each, in turns: the machine delays the others.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    withAccount = Math.min(withAccount, await timeOf(hash));
    without = Math.min(without, await timeOf(undefined));
  }
  expect(without).toBeGreaterThan(withAccount / 2);
  expect(without).toBeLessThan(withAccount * 2);
});

test('hashes have the cost of 2^12; one of another cost is outdated', () => {
  const outdated = [11, 12, 13].map((cost) => createPasswords().isOutdated(`$2b$${cost}$${'.'.repeat(53)}`));
  expect(outdated).toEqual([true, false, true]);
});
