/**
 * `npm run guards`: removes each guard of `tests/guards/guards.ts` in a copy of the project, and expects a test to fail. Names of guards, or
 * parts of them, as arguments choose some.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { Guard } from '#tests/guards/account-guards.ts';
import { GUARDS } from '#tests/guards/guards.ts';

const run = promisify(execFile);
const reportSchema = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), numFailedTestSuites: z.int() });

/** The files of the project as they are, changed ones included, with its packages. */
async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-guards-'));
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT_DIR,
    maxBuffer: 16 * 1024 ** 2,
  });
  for (const file of listed.stdout.split('\0').filter((name) => name !== '')) {
    await cp(join(PROJECT_DIR, file), join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not committed yet.
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await symlink(join(PROJECT_DIR, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

/** How many tests passed and failed; a file that does not load any more counts as nothing, for it says nothing. */
async function runTests(folder: string, files: readonly string[]): Promise<z.infer<typeof reportSchema>> {
  const report = join(folder, 'guards.json');
  await rm(report, { force: true });
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const projects = ['--project=unit', '--project=server-sqlite'];
  const reporter = ['--reporter=json', `--outputFile=${report}`, '--bail=1'];
  await run(process.execPath, [vitest, 'run', ...projects, ...reporter, ...files], {
    cwd: folder,
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, CI: '' },
  }).catch(() => undefined);
  return reportSchema.parse(JSON.parse(await readFile(report, 'utf8')));
}

/** What becomes of the tests without a guard. */
async function remove(folder: string, { file, code, without, tests }: Guard): Promise<'noticed' | 'not noticed'> {
  const path = join(folder, file);
  const whole = await readFile(path, 'utf8');
  await writeFile(
    path,
    whole.replace(code, () => without),
  );
  try {
    const { numFailedTests } = await runTests(folder, tests);
    return numFailedTests > 0 ? 'noticed' : 'not noticed';
  } finally {
    await writeFile(path, whole);
  }
}

const wanted = process.argv.slice(2);
const chosen = GUARDS.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
const folder = await copyProject();
try {
  const all = await runTests(folder, [...new Set(chosen.flatMap(({ tests }) => tests))]);
  if (all.numFailedTests > 0 || all.numFailedTestSuites > 0 || all.numPassedTests === 0) {
    throw new Error(`With all guards ${all.numFailedTests} tests fail: repair them first.`);
  }
  let missed = 0;
  for (const guard of chosen) {
    const outcome = await remove(folder, guard);
    if (outcome === 'not noticed') missed += 1;
    console.log(`${outcome === 'noticed' ? '✓' : '✗'} ${guard.name}: ${outcome}`);
  }
  console.log(`${chosen.length - missed} of ${chosen.length} removed guards were noticed.`);
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
