import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { type SecretStore, createFileSecretStore, createTableSecretStore } from './secret-store.ts';
import { makeMigratedPlace, openTestDatabase } from '#tests/support/test-place.ts';

let place: Awaited<ReturnType<typeof makeMigratedPlace>>;
let database: Database;
beforeEach(async () => {
  place = await makeMigratedPlace();
  database = await openTestDatabase(place);
});
afterEach(async () => {
  await database.close();
  await place.remove();
});

describe.each([
  ['in a file', () => createFileSecretStore(place.dataDir)],
  ['in the database', () => createTableSecretStore(database)],
])('secrets %s', (_where, open: () => SecretStore) => {
  test('are made once and kept', async () => {
    expect(await open().get('A')).toBeUndefined();
    expect(await open().getOrCreate('A', () => 'first')).toBe('first');
    expect(await open().getOrCreate('A', () => 'second')).toBe('first');
    await open().getOrCreate('B', () => 'other');
    expect(await open().get('A')).toBe('first');
    await open().remove('A');
    expect(await open().get('A')).toBeUndefined();
    expect(await open().get('B')).toBe('other');
  });
});

test('of servers that start at once, one value wins for all', async () => {
  const stores = Array.from({ length: 8 }, () => createTableSecretStore(database));
  const values = await Promise.all(stores.map((store, index) => store.getOrCreate('A', () => `value ${index}`)));
  expect(new Set(values).size).toBe(1);
});

test('the file is its owner’s alone, and damage is reported', async () => {
  const file = join(place.dataDir, 'secrets.json');
  await createFileSecretStore(place.dataDir).getOrCreate('A', () => 'x');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await writeFile(file, '{"A":');
  await expect(createFileSecretStore(place.dataDir).get('A')).rejects.toThrow(/damaged/);
});
