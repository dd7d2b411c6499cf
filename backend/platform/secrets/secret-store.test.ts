import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SECRETS_FILE } from '#backend/platform/database/private-files.ts';
import { createFileSecretStore } from './secret-store.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-test-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('changes at the same moment all count, and leave a whole file and nothing beside it', async () => {
  const store = createFileSecretStore(dataDir);
  await store.put('SESSION_SECRET', 'kept');
  await store.put('PASSWORD', 'first');
  await store.put('TOKEN', 'first');

  const made = await Promise.all([
    store.remove('PASSWORD'),
    store.remove('TOKEN'),
    store.remove('TOKEN'),
    store.getOrCreate('KEY', () => 'one'),
    store.getOrCreate('KEY', () => 'other'),
  ]);

  expect(made.slice(3)).toStrictEqual(['one', 'one']);
  expect(JSON.parse(await readFile(join(dataDir, SECRETS_FILE), 'utf8'))).toStrictEqual({
    SESSION_SECRET: 'kept',
    KEY: 'one',
  });
  expect(await readdir(dataDir)).toStrictEqual([SECRETS_FILE]);
});

test('what a process that was killed left beside the file is gone with the next change', async () => {
  await writeFile(join(dataDir, `${SECRETS_FILE}.new`), '{"SESSION_SECRET":"the one before"}, cut o');
  const store = createFileSecretStore(dataDir);
  await store.put('SESSION_SECRET', 'kept');
  expect(await store.get('SESSION_SECRET')).toBe('kept');
  expect(await readdir(dataDir)).toStrictEqual([SECRETS_FILE]);
});
