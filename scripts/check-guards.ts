/**
 * `npm run guards`: breaks the project in a copy of it, one place at a time, and expects a test to fail.
 *
 * - Without more it removes each guard of `tests/guards/guards.ts`; names of guards, or parts of them, choose some.
 * - `--mutants FILE…` makes small mistakes in these files (`scripts/mutants.ts`): every one, or with `--sample=20` so many of
 *   each file, drawn by `--seed=1`. It prints those that no test noticed, and the score.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { Guard } from '#tests/guards/account-guards.ts';
import { GUARDS } from '#tests/guards/guards.ts';
import { type Mutant, mutantsOf, withMutant } from './mutants.ts';

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

/** Longest run of the tests of one mistake, in milliseconds. A loop that does not end is one that was noticed. */
const TESTS_TIMEOUT = 180_000;

/** The share of mistakes that tests must notice. */
const LEAST_SHARE = 0.8;

const UNIT = ['--project=unit'];
const SERVER = ['--project=unit', '--project=server-sqlite'];

/**
 * How many tests passed and failed; a file that does not load any more counts as nothing, for it says nothing. Undefined
 * when they did not end.
 */
async function runTests(
  folder: string,
  files: readonly string[],
  projects: readonly string[] = SERVER,
): Promise<z.infer<typeof reportSchema> | undefined> {
  const report = join(folder, 'guards.json');
  await rm(report, { force: true });
  const vitest = join(folder, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = ['--reporter=json', `--outputFile=${report}`, '--bail=1'];
  await run(process.execPath, [vitest, 'run', ...projects, ...reporter, ...files], {
    cwd: folder,
    maxBuffer: 64 * 1024 ** 2,
    env: { ...process.env, CI: '' },
    timeout: TESTS_TIMEOUT,
  }).catch(() => undefined);
  const text = await readFile(report, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : reportSchema.parse(JSON.parse(text));
}

/** Runs something while a file has another text. */
async function withText<Result>(path: string, text: string, work: () => Promise<Result>): Promise<Result> {
  const whole = await readFile(path, 'utf8');
  await writeFile(path, text);
  try {
    return await work();
  } finally {
    await writeFile(path, whole);
  }
}

async function expectGreen(folder: string, files: readonly string[]): Promise<void> {
  const all = await runTests(folder, files);
  if (!all || all.numFailedTests > 0 || all.numFailedTestSuites > 0 || all.numPassedTests === 0) {
    throw new Error(`Without a mistake ${all?.numFailedTests ?? 'all'} tests fail: repair them first.`);
  }
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

/** Tests that import a file, and those of the server in its folder. */
async function testsOf(folder: string, file: string): Promise<{ direct: string[]; around: string[] }> {
  const listed = await run('git', ['ls-files', '*.test.ts', '*.test.tsx'], { cwd: PROJECT_DIR });
  const tests = listed.stdout.split('\n').filter((test) => test !== '' && !/\.(build|fault)\.test/.test(test));
  const direct: string[] = [];
  for (const test of tests) {
    const text = await readFile(join(folder, test), 'utf8').catch(() => '');
    const isBeside = dirname(test) === dirname(file);
    if (text.includes(`'#${file}'`) || (isBeside && text.includes(`'./${basename(file)}'`))) direct.push(test);
  }
  const around = tests.filter((test) => dirname(test) === dirname(file) && test.includes('.server.test'));
  return { direct, around };
}

/** Tests that run together. */
interface Step {
  tests: readonly string[];
  projects: readonly string[];
}

/**
 * The tests of a file: first those that import it, then those of its folder; only steps in which a test runs.
 *
 * @throws {Error} when one fails without a mistake, which would make every mistake look noticed
 */
async function greenStepsOf(folder: string, file: string): Promise<Step[]> {
  const { direct, around } = await testsOf(folder, file);
  const steps: Step[] = [
    { tests: direct.filter((test) => !test.includes('.server.test')), projects: UNIT },
    { tests: direct.filter((test) => test.includes('.server.test')), projects: SERVER },
    { tests: around.filter((test) => !direct.includes(test)), projects: SERVER },
  ];
  const green: Step[] = [];
  for (const step of steps.filter(({ tests }) => tests.length > 0)) {
    const outcome = await runTests(folder, step.tests, step.projects);
    if (outcome && (outcome.numFailedTests > 0 || outcome.numFailedTestSuites > 0))
      throw new Error(`Tests of ${file} fail without a mistake: repair them first.`);
    if (outcome && outcome.numPassedTests > 0) green.push(step);
  }
  return green;
}

/** Whether a test fails with a mistake. */
async function isNoticed(folder: string, steps: readonly Step[]): Promise<boolean> {
  for (const { tests, projects } of steps) {
    const outcome = await runTests(folder, tests, projects);
    // What does not load, or does not end, is noticed, too.
    if (!outcome || outcome.numFailedTests > 0 || outcome.numFailedTestSuites > 0) return true;
  }
  return false;
}

/** So many of them, the same ones for the same seed, spread over the file. */
function draw(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  if (mutants.length <= count) return mutants;
  const step = mutants.length / count;
  return Array.from({ length: count }, (_, at) => mutants[Math.floor(at * step + (seed % step))]).filter(
    (mutant) => mutant !== undefined,
  );
}

/** Makes mistakes in files, and says which of them no test noticed. Returns the share that was, from 0 to 1. */
async function makeMistakes(folder: string, files: readonly string[], count: number, seed: number): Promise<number> {
  let noticed = 0;
  let made = 0;
  for (const file of files) {
    const steps = await greenStepsOf(folder, file);
    if (steps.length === 0) console.log(`✗ ${file} has no tests.`);
    const source = await readFile(join(folder, file), 'utf8');
    const chosen = draw(mutantsOf(file, source), count, seed);
    let ofFile = 0;
    for (const mutant of chosen) {
      const path = join(folder, file);
      if (await withText(path, withMutant(source, mutant), () => isNoticed(folder, steps))) {
        ofFile += 1;
      } else {
        const before = source.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 80);
        console.log(`✗ ${file}:${mutant.line} ${mutant.kind}: ${before} → ${mutant.after.slice(0, 80)}`);
      }
    }
    console.log(`${file}: ${ofFile} of ${chosen.length} noticed`);
    noticed += ofFile;
    made += chosen.length;
  }
  console.log(
    `${noticed} of ${made} mistakes were noticed (${made === 0 ? 100 : Math.round((noticed / made) * 100)} %).`,
  );
  return made === 0 ? 1 : noticed / made;
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
  options: { mutants: { type: 'boolean' }, sample: { type: 'string' }, seed: { type: 'string' } },
});
const [count, seed] = [wholeNumber(values.sample, Infinity), wholeNumber(values.seed, 1)];
if (values.mutants && positionals.length === 0) throw new Error('--mutants needs the files to make mistakes in.');
const folder = await copyProject();
try {
  if (values.mutants) {
    const share = await makeMistakes(folder, positionals, count, seed);
    process.exitCode = share < LEAST_SHARE ? 1 : 0;
  } else {
    const isChosen = ({ name }: Guard): boolean => positionals.some((part) => name.includes(part));
    const missed = await removeGuards(folder, positionals.length === 0 ? GUARDS : GUARDS.filter(isChosen));
    process.exitCode = missed > 0 ? 1 : 0;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
