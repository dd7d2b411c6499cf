import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

test('what an ended process left of another name is removed once nobody has written to it for an hour', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'alertdesk-partial-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const old = new Date(Date.now() - 61 * 60 * 1000);
  const kept = ['monday.jsonl', `monday.jsonl.partial-${process.ppid}-1`, `monday.jsonl.partial-${ended}-old`];
  const left = [`monday.jsonl.partial-${ended}-1`, `monday.sqlite.partial-${ended}-2-journal`];
  for (const name of [...kept, ...left]) {
    await writeFile(join(dir, name), '');
    await utimes(join(dir, name), old, old);
  }
  // Of a machine that shares the folder, as far as can be seen.
  const active = `tuesday.jsonl.partial-${ended}-1`;
  await writeFile(join(dir, active), '');

  await beginPartial(join(dir, 'wednesday.jsonl.gz'));
  expect((await readdir(dir)).toSorted()).toEqual([...kept, active].toSorted());
});

test('what a process of the same number left is removed once it is old, as each in a container is number 1', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'alertdesk-partial-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const file = join(dir, 'nightly.jsonl');
  const old = new Date(Date.now() - 61 * 60 * 1000);
  const [own, left] = [await beginPartial(file), `${file}.partial-${process.pid}-1`];
  for (const path of [own, left]) {
    await writeFile(path, '');
    await utimes(path, old, old);
  }
  await writeFile(`${file}.partial-${process.pid}-2`, '');

  await beginPartial(file);
  expect((await readdir(dir)).toSorted()).toEqual([basename(own), `nightly.jsonl.partial-${process.pid}-2`].toSorted());
});
