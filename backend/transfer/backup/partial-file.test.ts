import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { beginPartial } from './partial-file.ts';

test('what is written has a place of its own, and what ended processes left is removed', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'alertdesk-partial-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const kept = ['backup.db', 'backup.db.partial-', 'backup.db.partial-old', `backup.db.partial-${process.pid}-9`];
  const left = [`backup.db.partial-${ended}-1`, `backup.db.partial-${ended}-1-journal`];
  for (const name of [...kept, ...left]) await writeFile(join(dir, name), '');

  const file = join(dir, 'backup.db');
  const [first, second] = [await beginPartial(file), await beginPartial(file)];
  expect(first).not.toBe(second);
  expect(first.startsWith(`${file}.partial-`)).toBe(true);
  expect((await readdir(dir)).toSorted()).toEqual(kept.toSorted());
});
