import { type Counts, addCounts } from './counts.ts';
import type { StageResult } from './run-stage.ts';

/** The counts of tests, as the last line of `npm test`: `N passed, N failed`, with `, N skipped` when there are any. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** What `npm test` prints at its end: a line for each stage, the flaky tests, the sum in the last line. */
export function describeRun(results: readonly StageResult[]): string {
  const total = addCounts(results);
  const flaky = total.flaky.length > 0 ? ['', 'flaky: failed, then passed at the second attempt', ...total.flaky] : [];
  return [...results.map(describeStage), ...flaky, '', describeCounts(total)].join('\n');
}

function describeStage(result: StageResult): string {
  const { name, seconds, problem } = result;
  const mark = result.failed > 0 ? '✗' : result.passed > 0 ? '✓' : '–';
  const counts = `${mark} ${name}: ${describeCounts(result)} (${seconds.toFixed(1)} s)`;
  return problem ? `${counts}\n  ${problem}` : counts;
}
