import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashFiles } from './hash-files.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'alertdesk-hash-'));
  await mkdir(join(root, 'src/deep'), { recursive: true });
  await writeFile(join(root, 'src/a.ts'), 'a');
  await writeFile(join(root, 'src/deep/b.ts'), 'b');
  await writeFile(join(root, 'config.ts'), 'config');
});

afterEach(() => rm(root, { recursive: true, force: true }));

const hash = () => hashFiles(root, ['src', 'config.ts', 'absent.json']);

test('changes with contents and names, not with times or tests', async () => {
  const before = await hash();
  await utimes(join(root, 'src/a.ts'), 1, 1);
  await writeFile(join(root, 'src/a.test.ts'), 'test');
  expect(await hash()).toBe(before);

  await writeFile(join(root, 'src/deep/b.ts'), 'B');
  const changed = await hash();
  expect(changed).not.toBe(before);

  await rename(join(root, 'src/deep/b.ts'), join(root, 'src/deep/c.ts'));
  expect(await hash()).not.toBe(changed);
});

test('distinguishes an absent file from an empty one', async () => {
  const before = await hash();
  await writeFile(join(root, 'absent.json'), '');
  expect(await hash()).not.toBe(before);
});
