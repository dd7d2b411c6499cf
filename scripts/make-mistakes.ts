import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type Report, failedOf, isRed, runTests, withText } from './guard-tests.ts';
import { type Mutant, type Place, bodiesOf, mutantsOf, withMutant, withNotes } from './mutants.ts';

const run = promisify(execFile);

/** Tests that take this long together run first, in milliseconds; the others when these noticed nothing. */
const FIRST_TESTS = 6000;

/** Longest run of all tests of a file without a mistake, in milliseconds. */
const ALL_TESTS_TIMEOUT = 900_000;

/** Tests that import a file, and those around it: of the server in its folder, or, of the renderer, all in a DOM. */
async function testsOf(folder: string, file: string): Promise<string[]> {
  const listed = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
    {
      cwd: PROJECT_DIR,
    },
  );
  const tests = listed.stdout.split('\n').filter((test) => test !== '' && !/\.(build|fault)\.test/.test(test));
  const found: string[] = [];
  for (const test of tests) {
    const text = await readFile(join(folder, test), 'utf8').catch(() => '');
    const isBeside = dirname(test) === dirname(file);
    const isAround = file.startsWith('renderer/')
      ? test.startsWith('tests/components/')
      : isBeside && test.includes('.server.test');
    if (isAround || text.includes(`'#${file}'`) || (isBeside && text.includes(`'./${basename(file)}'`)))
      found.push(test);
  }
  return found;
}

/** Which tests can notice a mistake in a file, and how long each takes. */
interface Reach {
  /** Each file of tests with its time in milliseconds, the shortest first. */
  tests: readonly (readonly [test: string, time: number])[];
  /** Tests that call the function with this body. */
  callers(body: Place | undefined): ReadonlySet<string>;
}

/**
 * Runs the tests of a file once, with notes in each of its functions about who calls it. A function that is called by a
 * process or a thread which a test started may be of any of them.
 *
 * @throws {Error} when a test fails without a mistake, which would make every mistake look noticed
 */
async function reachOf(folder: string, file: string, source: string, mutants: readonly Mutant[]): Promise<Reach> {
  const files = await testsOf(folder, file);
  if (files.length === 0) return { tests: [], callers: () => new Set() };
  const bodies = bodiesOf(mutants);
  const notes = join(folder, 'guards-notes.txt');
  await rm(notes, { force: true });
  const report = await withText(join(folder, file), withNotes(source, bodies, notes), () =>
    runTests(folder, files, ALL_TESTS_TIMEOUT),
  );
  if (!report || isRed(report))
    throw new Error(`Tests of ${file} fail without a mistake; repair them first:\n${failedOf(report).join('\n')}`);
  const tests = testTimes(folder, report);
  const all = new Set(tests.map(([test]) => test));
  const calls = (await readFile(notes, 'utf8').catch(() => '')).split('\n').map((line) => line.split('\t'));
  return {
    tests,
    callers(body) {
      const index = bodies.findIndex((one) => one.start === body?.start);
      const callers = calls.filter(([called]) => called === String(index)).map(([, test = '']) => test);
      if (body === undefined || callers.includes('')) return all;
      return new Set(callers.map((test) => nameOf(folder, test)));
    },
  };
}

const nameOf = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

const testTimes = (folder: string, { testResults }: Report): (readonly [string, number])[] =>
  testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'passed'))
    .map(({ name, startTime, endTime }) => [nameOf(folder, name), endTime - startTime] as const)
    .toSorted(([, one], [, other]) => one - other);

/** Whether a test fails with a mistake in place. What does not load, or does not end, is noticed, too. */
async function isNoticed(folder: string, { tests, callers }: Reach, mutant: Mutant): Promise<boolean> {
  const called = callers(mutant.body);
  const first: string[] = [];
  const others: string[] = [];
  let sum = 0;
  for (const [test, time] of tests.filter(([name]) => called.has(name))) {
    sum += time;
    (first.length === 0 || sum <= FIRST_TESTS ? first : others).push(test);
  }
  if (first.length > 0 && isRed(await runTests(folder, first))) return true;
  return others.length > 0 && isRed(await runTests(folder, others));
}

/** So many of them, the same ones for the same seed, spread over the file. */
function draw(mutants: readonly Mutant[], count: number, seed: number): readonly Mutant[] {
  if (mutants.length <= count) return mutants;
  const step = mutants.length / count;
  return Array.from({ length: count }, (_, at) => mutants[Math.floor(at * step + (seed % step))]).filter(
    (mutant) => mutant !== undefined,
  );
}

/**
 * Makes mistakes in files, and says which of them no test noticed. Returns the share that was, from 0 to 1.
 *
 * @param folder a copy of the project
 * @param count how many in each file, at most
 */
export async function makeMistakes(
  folder: string,
  files: readonly string[],
  count: number,
  seed: number,
): Promise<number> {
  let noticed = 0;
  let made = 0;
  for (const file of files) {
    const source = await readFile(join(folder, file), 'utf8');
    const chosen = draw(mutantsOf(file, source), count, seed);
    const reach = await reachOf(folder, file, source, chosen);
    if (reach.tests.length === 0) console.log(`✗ ${file} has no tests.`);
    let ofFile = 0;
    for (const mutant of chosen) {
      if (await withText(join(folder, file), withMutant(source, mutant), () => isNoticed(folder, reach, mutant))) {
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
