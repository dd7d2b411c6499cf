import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

test('a program that ends by itself is started again as often as wanted, and each end is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-guarded-'));
  const report = `${folder}.log`;
  onTestFinished(async () => {
    await Promise.all([folder, report].map((path) => rm(path, { recursive: true, force: true })));
  });
  await writeFile(join(folder, 'error.log'), 'started\nno space left\n');
  const ended = promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'run-guarded.ts'), folder, process.execPath, '-e', 'process.exit(3)'],
    { env: { ...process.env, GUARD_RESTARTS: '1', GUARD_REPORT: report } },
  );
  // Its input stays open until it has ended.
  await expect(ended).rejects.toMatchObject({ code: 3 });
  const once = `${process.execPath} ended by itself with 3.\nstarted\nno space left\n`;
  expect(await readFile(report, 'utf8')).toBe(once.repeat(2));
  expect(existsSync(folder)).toBe(false);
});
