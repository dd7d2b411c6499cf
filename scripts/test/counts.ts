import { z } from 'zod';

/** How many tests passed, failed and were skipped. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The counts of several stages together. */
export function addCounts(all: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => all.reduce((total, counts) => total + counts[name], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The last line of `npm test`: `N passed, N failed`, with `, N skipped` when there are any. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const vitestReportSchema = z.object({
  testResults: z.array(
    z.object({
      status: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

/**
 * Counts of vitest's JSON report. A file that failed without a failed test of its own (it did not load, or a hook
 * failed) counts as one failure.
 *
 * @throws {z.ZodError} when it is no such report
 */
export function countVitest(report: unknown): Counts {
  return addCounts(
    vitestReportSchema.parse(report).testResults.map((file) => {
      const count = (...statuses: string[]) =>
        file.assertionResults.filter(({ status }) => statuses.includes(status)).length;
      const failed = count('failed');
      return {
        passed: count('passed'),
        failed: file.status === 'failed' ? Math.max(failed, 1) : failed,
        skipped: count('skipped', 'pending', 'todo', 'disabled'),
      };
    }),
  );
}

const playwrightReportSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
});

/**
 * Counts of Playwright's JSON report. An error outside of a test counts as a failure, and so does a flaky test.
 *
 * @throws {z.ZodError} when it is no such report
 */
export function countPlaywright(report: unknown): Counts {
  const { stats, errors } = playwrightReportSchema.parse(report);
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped };
}
