import { type Counts, addCounts } from './counts.ts';
import type { StageResult } from './run-stage.ts';

/** The counts of tests, as the last line of `npm test`: `N passed, N failed`, with `, N skipped` when there are any. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * What `npm test` prints at its end: a line for each stage, the failed and the flaky tests, the sum in the last line.
 *
 * @param left sentences that say what was not run
 */
export function describeRun(results: readonly StageResult[], left: readonly string[] = []): string {
  const total = addCounts(results);
  return [
    ...results.map(describeStage),
    ...listed('not run', left),
    ...listed('failed', total.failures),
    ...listed('flaky: failed, then passed at another attempt', total.flaky),
    '',
    describeCounts(total),
  ].join('\n');
}

function describeStage(result: StageResult): string {
  const { name, seconds, processorSeconds, problem } = result;
  const processor = processorSeconds === undefined ? '' : `, ${processorSeconds.toFixed(0)} s of processor time`;
  const mark = result.failed > 0 ? '✗' : result.passed > 0 ? '✓' : '–';
  const counts = `${mark} ${name}: ${describeCounts(result)} (${seconds.toFixed(1)} s${processor})`;
  return problem ? `${counts}\n  ${problem}` : counts;
}

const listed = (title: string, tests: readonly string[]): string[] => (tests.length > 0 ? ['', title, ...tests] : []);
