import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** How many tests passed, failed and were skipped. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Tests among the passed ones that passed at the second attempt only, each with the failure of the first. */
  flaky: readonly string[];
}

/** What one test came to. */
export const PASSED: Counts = { passed: 1, failed: 0, skipped: 0, flaky: [] };
export const FAILED: Counts = { passed: 0, failed: 1, skipped: 0, flaky: [] };
export const SKIPPED: Counts = { passed: 0, failed: 0, skipped: 1, flaky: [] };

/** The counts of several stages together. */
export function addCounts(all: readonly Counts[]): Counts {
  const sum = (name: 'passed' | 'failed' | 'skipped') => all.reduce((total, counts) => total + counts[name], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    flaky: all.flatMap(({ flaky }) => flaky),
  };
}

/** A flaky test by its file and titles, with the first line of its failure. */
function describeFlaky(file: string, titles: readonly string[], failure: string | undefined): string {
  const [reason = ''] = stripVTControlCharacters(failure ?? '').split('\n');
  return `${[file, ...titles].filter((part) => part !== '').join(' › ')}: ${reason}`;
}

const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
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
  return addCounts(
    vitestReportSchema.parse(report).testResults.map(({ name, status: fileStatus, assertionResults: tests }) => {
      const count = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status)).length;
      const failed = count('failed');
      return {
        passed: count('passed'),
        failed: fileStatus === 'failed' ? Math.max(failed, 1) : failed,
        skipped: count('skipped', 'pending', 'todo', 'disabled'),
        flaky: tests
          .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
          .map(({ ancestorTitles, title, failureMessages: [failure] }) =>
            describeFlaky(relative(PROJECT_DIR, name), [...ancestorTitles, title], failure),
          ),
      };
    }),
  );
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
  errors: z.array(z.unknown()),
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
    // A file is the outermost suite, with its name as the title.
    flaky: suites.flatMap((file) => flakyOfSuite({ ...file, title: '' }, [])),
  };
}

function flakyOfSuite(suite: z.infer<typeof playwrightSuiteSchema>, outer: readonly string[]): string[] {
  const titles = [...outer, suite.title];
  const own = suite.specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => describeFlaky(suite.file, [...titles, title], results[0]?.error?.message)),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => flakyOfSuite(inner, titles))];
}
