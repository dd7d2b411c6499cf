/**
 * `npm run guards`: breaks the project in a copy of it, one place at a time, and expects a test to fail.
 *
 * - Without more it removes each guard of `tests/guards/guards.ts`; names of guards, or parts of them, choose some.
 * - `--mutants FILE…` makes small mistakes in these files (`scripts/mutants.ts`): every one, or with `--sample=20` so many of
 *   each file, drawn by `--seed=1`. It prints those that no test noticed, and the score. `--without-dom` leaves out the tests
 *   in a DOM.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { Guard } from '#tests/guards/account-guards.ts';
import { GUARDS } from '#tests/guards/guards.ts';
import { failedOf, runTests, withText } from './guard-tests.ts';
import { makeMistakes } from './make-mistakes.ts';

const run = promisify(execFile);

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

/** The share of mistakes that tests must notice. */
const LEAST_SHARE = 0.8;

async function expectGreen(folder: string, files: readonly string[]): Promise<void> {
  const all = await runTests(folder, files);
  const failed = failedOf(all);
  if (failed.length > 0 || all?.numPassedTests === 0)
    throw new Error(`Without a mistake tests fail; repair them first:\n${failed.join('\n')}`);
}

/** Removes guards, and says which of them no test noticed. Returns how many. */
async function removeGuards(folder: string, guards: readonly Guard[]): Promise<number> {
  await expectGreen(folder, [...new Set(guards.flatMap(({ tests }) => tests))]);
  let missed = 0;
  for (const { name, file, code, without, tests } of guards) {
    const path = join(folder, file);
    const text = (await readFile(path, 'utf8')).replace(code, () => without);
    const outcome = await withText(path, text, () => runTests(folder, tests));
    const wasNoticed = outcome !== undefined && outcome.numFailedTests > 0;
    if (!wasNoticed) missed += 1;
    console.log(`${wasNoticed ? '✓' : '✗'} ${name}: ${wasNoticed ? 'noticed' : 'not noticed'}`);
  }
  console.log(`${guards.length - missed} of ${guards.length} removed guards were noticed.`);
  return missed;
}

/** A number from the command line. */
function wholeNumber(text: string | undefined, otherwise: number): number {
  const number = text === undefined ? otherwise : Number(text);
  if (number < 1 || (text !== undefined && !Number.isInteger(number)))
    throw new Error(`--sample and --seed are whole numbers above 0, not "${text}".`);
  return number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'boolean' },
    sample: { type: 'string' },
    seed: { type: 'string' },
    'without-dom': { type: 'boolean' },
  },
});
const [count, seed] = [wholeNumber(values.sample, Infinity), wholeNumber(values.seed, 1)];
if (values.mutants && positionals.length === 0) throw new Error('--mutants needs the files to make mistakes in.');
const folder = await copyProject();
try {
  if (values.mutants) {
    const share = await makeMistakes(folder, positionals, { count, seed, withoutDom: values['without-dom'] === true });
    process.exitCode = share < LEAST_SHARE ? 1 : 0;
  } else {
    const isChosen = ({ name }: Guard): boolean => positionals.some((part) => name.includes(part));
    const missed = await removeGuards(folder, positionals.length === 0 ? GUARDS : GUARDS.filter(isChosen));
    process.exitCode = missed > 0 ? 1 : 0;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
