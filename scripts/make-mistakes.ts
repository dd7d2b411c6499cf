import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type Report, TESTS_TIMEOUT, failedOf, isRed, runTests, withText } from './guard-tests.ts';
import { type Mutant, type Place, bodiesOf, mutantsOf, withMutant, withNotes } from './mutants.ts';

const run = promisify(execFile);

/** Tests that take this long together run first, in milliseconds; the others when these noticed nothing. */
const FIRST_TESTS = 6000;

/** So long run, at most, the tests beside other files that call a function, in milliseconds. */
const TESTS_OF_OTHERS = 60_000;

/** A run of tests with a mistake may take so many times as long as they took without, and at least as guards may. */
const SLOWER = 4;

/** Longest run of all tests of the files without a mistake, in milliseconds. */
const ALL_TESTS_TIMEOUT = 3_600_000;

/** Tests of the project, but those of builds and faults, each with its text. */
async function allTests(folder: string, withoutDom: boolean): Promise<Map<string, string>> {
  const listed = await run(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts', '*.test.tsx'],
    { cwd: PROJECT_DIR },
  );
  const tests = listed.stdout.split('\n').filter((test) => test !== '' && !/\.(build|fault)\.test/.test(test));
  const texts = new Map<string, string>();
  for (const test of tests.filter((one) => !withoutDom || !one.startsWith('tests/components/')))
    texts.set(test, await readFile(join(folder, test), 'utf8').catch(() => ''));
  return texts;
}

/** Tests that import a file, and those around it: of the server in its folder, or, of the renderer, all in a DOM. */
function testsOf(file: string, texts: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [test, text] of texts) {
    const isBeside = dirname(test) === dirname(file);
    const isAround = file.startsWith('renderer/')
      ? test.startsWith('tests/components/')
      : isBeside && test.includes('.server.test');
    if (isAround || text.includes(`'#${file}'`) || (isBeside && text.includes(`'./${basename(file)}'`)))
      found.push(test);
  }
  return found;
}

/** A file with the mistakes that are made in it, and the tests that may notice them. */
interface Subject {
  file: string;
  source: string;
  mutants: readonly Mutant[];
  /** Bodies of functions in which the mistakes stand. */
  bodies: readonly Place[];
  tests: readonly string[];
  /** Tests of the server elsewhere in the area (`backend/intake`); they count as far as they call what has the mistake. */
  testsOfArea: readonly string[];
}

/** Tests of the server in the area of a file. */
const testsOfArea = (file: string, texts: ReadonlyMap<string, string>): string[] => {
  const area = `${file.split('/').slice(0, 2).join('/')}/`;
  return [...texts.keys()].filter((test) => test.startsWith(area) && test.includes('.server.test'));
};

type TestTimes = readonly (readonly [test: string, time: number])[];

/** Which tests can notice a mistake in a file, and how long each takes. */
interface Reach {
  /** Tests that call the function with this body, in milliseconds each: those of the file first, the shortest first. */
  callers(body: Place | undefined): TestTimes;
}

/**
 * Runs the tests of all files once, with notes in each of their functions about who calls it: one run, because many files
 * share tests. A function that is called by a process or a thread which a test started may be of any of them.
 * A file of tests that fails without a mistake would make every mistake look noticed: it is named, and left out.
 *
 * @throws {Error} when the tests do not end
 */
async function reachesOf(folder: string, subjects: readonly Subject[]): Promise<Map<Subject, Reach>> {
  const tests = [...new Set(subjects.flatMap((subject) => [...subject.tests, ...subject.testsOfArea]))];
  if (tests.length === 0) return new Map(subjects.map((subject) => [subject, { callers: () => [] }]));
  const notes = join(folder, 'guards-notes.txt');
  await rm(notes, { force: true });
  const firsts = new Map<Subject, number>();
  const noted: [string, string][] = [];
  let count = 0;
  for (const subject of subjects) {
    firsts.set(subject, count);
    noted.push([join(folder, subject.file), withNotes(subject.source, subject.bodies, notes, count)]);
    count += subject.bodies.length;
  }
  const report = await withTexts(noted, () => runTests(folder, tests, ALL_TESTS_TIMEOUT, false));
  if (!report) throw new Error('Without a mistake the tests do not end.');
  for (const failed of failedOf(report)) console.log(`✗ Fails without a mistake, and is left out: ${failed}`);
  const times = testTimes(folder, report);
  const calls = (await readFile(notes, 'utf8').catch(() => '')).split('\n').map((line) => line.split('\t'));
  return new Map(
    subjects.map((subject) => [subject, reachOf(folder, subject, { times, calls, first: firsts.get(subject) ?? 0 })]),
  );
}

interface Noted {
  times: TestTimes;
  /** Number of a body, and path of the test that called it. */
  calls: readonly (readonly string[])[];
  /** Number of the first body of the file. */
  first: number;
}

function reachOf(folder: string, subject: Subject, { times, calls, first }: Noted): Reach {
  const own = times.filter(([test]) => subject.tests.includes(test));
  return {
    callers(body) {
      const index = first + subject.bodies.findIndex((one) => one.start === body?.start);
      const paths = calls.filter(([called]) => called === String(index)).map(([, path = '']) => path);
      const names = new Set(paths.map((path) => nameOf(folder, path)));
      const isOfAny = body === undefined || paths.includes('');
      let sum = 0;
      const others = times.filter(([test, time]) => {
        if (!names.has(test) || subject.tests.includes(test)) return false;
        sum += time;
        return sum <= TESTS_OF_OTHERS;
      });
      return [...(isOfAny ? own : own.filter(([test]) => names.has(test))), ...others];
    },
  };
}

/** Runs something while several files have another text. */
const withTexts = <Result>(texts: readonly [string, string][], work: () => Promise<Result>): Promise<Result> =>
  texts.reduceRight<() => Promise<Result>>(
    (inner, [path, text]) =>
      () =>
        withText(path, text, inner),
    work,
  )();

const nameOf = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

const testTimes = (folder: string, { testResults }: Report): TestTimes =>
  testResults
    .filter(
      ({ status, assertionResults }) => status === 'passed' && assertionResults.some((one) => one.status === 'passed'),
    )
    .map(({ name, startTime, endTime }) => [nameOf(folder, name), endTime - startTime] as const)
    .toSorted(([, one], [, other]) => one - other);

/**
 * Whether the files of tests that failed fail once more by themselves: on a busy machine a test also fails for want of time.
 * What comes after them in the run was not tried, which can only make the score lower.
 */
async function failsAgain(folder: string, { testResults }: Report): Promise<boolean> {
  const failed = testResults
    .filter(
      ({ message, assertionResults }) => message !== '' || assertionResults.some(({ status }) => status === 'failed'),
    )
    .map(({ name }) => nameOf(folder, name));
  return failed.length > 0 && isRed(await runTests(folder, failed));
}

/**
 * Whether a test fails with a mistake in place. What does not load is noticed, too, and so is what does not end; the latter
 * is counted apart, because a busy machine looks the same.
 */
async function isNoticed(
  folder: string,
  { callers }: Reach,
  mutant: Mutant,
): Promise<'noticed' | 'endless' | 'missed'> {
  const called = callers(mutant.body);
  let sum = 0;
  const first = called.filter(([, time], at) => {
    sum += time;
    return at === 0 || sum <= FIRST_TESTS;
  });
  const others = called.filter((test) => !first.includes(test));
  for (const some of [first, others].filter(({ length }) => length > 0)) {
    const usual = Math.ceil(some.reduce((total, [, time]) => total + time, 0));
    const names = some.map(([test]) => test);
    const report = await runTests(folder, names, Math.max(TESTS_TIMEOUT, SLOWER * usual));
    if (report === undefined) return 'endless';
    if (isRed(report) && (await failsAgain(folder, report))) return 'noticed';
  }
  return 'missed';
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
 * @param withoutDom leaves out the tests in a DOM, which take minutes; what only they notice counts as not noticed
 */
export async function makeMistakes(
  folder: string,
  files: readonly string[],
  { count, seed, withoutDom }: { count: number; seed: number; withoutDom: boolean },
): Promise<number> {
  let noticed = 0;
  let endless = 0;
  let made = 0;
  const texts = await allTests(folder, withoutDom);
  const subjects: Subject[] = [];
  for (const file of files) {
    const source = await readFile(join(folder, file), 'utf8');
    const mutants = draw(mutantsOf(file, source), count, seed);
    const [tests, ofArea] = [testsOf(file, texts), testsOfArea(file, texts)];
    subjects.push({ file, source, mutants, bodies: bodiesOf(mutants), tests, testsOfArea: ofArea });
  }
  for (const [{ file, source, mutants, tests }, reach] of await reachesOf(folder, subjects)) {
    if (tests.length === 0) console.log(`✗ ${file} has no tests.`);
    let ofFile = 0;
    for (const mutant of mutants) {
      const outcome = await withText(join(folder, file), withMutant(source, mutant), () =>
        isNoticed(folder, reach, mutant),
      );
      if (outcome === 'endless') endless += 1;
      if (outcome === 'missed') {
        const before = source.slice(mutant.start, mutant.end).replace(/\s+/g, ' ').slice(0, 80);
        console.log(`✗ ${file}:${mutant.line} ${mutant.kind}: ${before} → ${mutant.after.slice(0, 80)}`);
      } else ofFile += 1;
    }
    console.log(`${file}: ${ofFile} of ${mutants.length} noticed`);
    noticed += ofFile;
    made += mutants.length;
  }
  const share = made === 0 ? 1 : noticed / made;
  console.log(`${noticed} of ${made} mistakes were noticed (${Math.round(share * 100)} %).`);
  if (endless > 0) console.log(`Of these, tests of ${endless} did not end.`);
  return share;
}
