import { isAbsolute, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** How many tests passed, failed and were skipped. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** The failed tests, each with the first lines of its first failure: a later attempt may fail of what that one left. */
  failures: readonly string[];
  /** Tests among the passed ones that did not pass at the first attempt, each with the failure of the first. */
  flaky: readonly string[];
}

/** What one test came to. */
export const PASSED: Counts = { passed: 1, failed: 0, skipped: 0, failures: [], flaky: [] };
export const FAILED: Counts = { passed: 0, failed: 1, skipped: 0, failures: [], flaky: [] };
export const SKIPPED: Counts = { passed: 0, failed: 0, skipped: 1, failures: [], flaky: [] };

/** The counts of several stages together. */
export function addCounts(all: readonly Counts[]): Counts {
  const sum = (name: 'passed' | 'failed' | 'skipped') => all.reduce((total, counts) => total + counts[name], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: all.flatMap(({ failures }) => failures),
    flaky: all.flatMap(({ flaky }) => flaky),
  };
}

/** So many lines of a failure are named: what was expected and found, which the first line often does not say. */
const MOST_LINES = 12;

/** A test by its file and titles, with the first lines of its failure: one beside them, the others below, indented. */
export function describeTest(file: string, titles: readonly string[], failure: string | undefined): string {
  const [reason = '', ...more] = stripVTControlCharacters(failure ?? '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*at /.test(line))
    .slice(0, MOST_LINES);
  const title = [isAbsolute(file) ? relative(PROJECT_DIR, file) : file, ...titles]
    .filter((part) => part !== '')
    .join(' › ');
  return [[title, reason].filter((part) => part !== '').join(': '), ...more.map((line) => `    ${line}`)].join('\n');
}

const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          failureMessages: z.array(z.string()),
        }),
      ),
    }),
  ),
});

/**
 * Counts of vitest's JSON report. A file that failed without a failed test of its own (it did not load, or a hook
 * failed) counts as one failure. A passed test with a failure failed at its first attempt.
 *
 * @throws {z.ZodError} when it is no such report
 */
export function countVitest(report: unknown): Counts {
  return addCounts(vitestReportSchema.parse(report).testResults.map(countVitestFile));
}

type VitestFile = z.infer<typeof vitestReportSchema>['testResults'][number];

function countVitestFile({ name: file, status: fileStatus, message, assertionResults: tests }: VitestFile): Counts {
  const count = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status)).length;
  const describe = (chosen: typeof tests): string[] =>
    chosen.map(({ ancestorTitles, title, failureMessages }) =>
      describeTest(file, [...ancestorTitles, title], failureMessages[0]),
    );
  const failures = describe(tests.filter(({ status }) => status === 'failed'));
  const isFileAlone = fileStatus === 'failed' && failures.length === 0;
  return {
    passed: count('passed'),
    failed: isFileAlone ? 1 : failures.length,
    skipped: count('skipped', 'pending', 'todo', 'disabled'),
    failures: isFileAlone ? [describeTest(file, [], message)] : failures,
    flaky: describe(tests.filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)),
  };
}

const playwrightSuiteSchema = z.object({
  title: z.string(),
  file: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(z.object({ error: z.object({ message: z.string().optional() }).optional() })),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuiteSchema).optional();
  },
});

const playwrightReportSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(playwrightSuiteSchema),
});

/**
 * Counts of Playwright's JSON report. An error outside of a test counts as a failure.
 *
 * @throws {z.ZodError} when it is no such report
 */
export function countPlaywright(report: unknown): Counts {
  const { stats, errors, suites } = playwrightReportSchema.parse(report);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + errors.length,
    skipped: stats.skipped,
    failures: [
      ...suites.flatMap((file) => describeSuite(file, 'unexpected')),
      ...errors.map(({ message }) => describeTest('', [], message)),
    ],
    flaky: suites.flatMap((file) => describeSuite(file, 'flaky')),
  };
}

/** The tests of a file that ended so, each with its first failure. */
function describeSuite(file: z.infer<typeof playwrightSuiteSchema>, status: 'unexpected' | 'flaky'): string[] {
  // A file is the outermost suite, with its name as the title.
  return describeInner({ ...file, title: '' }, [], status);
}

function describeInner(
  suite: z.infer<typeof playwrightSuiteSchema>,
  outer: readonly string[],
  status: 'unexpected' | 'flaky',
): string[] {
  const titles = [...outer, suite.title];
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests
      .filter((test) => test.status === status)
      .map(({ results }) => describeTest(suite.file, [...titles, title], results[0]?.error?.message)),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => describeInner(inner, titles, status))];
}
