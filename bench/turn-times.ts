import { createHistogram } from 'node:perf_hooks';

/** How long turns of an event loop took, in milliseconds, and how many took longer than a limit. */
export interface TurnTimes {
  turns: number;
  p50: number;
  p99: number;
  p999: number;
  longest: number;
  above20: number;
  above50: number;
}

/** Takes note of turns, one after the other. */
export interface TurnRecorder {
  record(milliseconds: number): void;
  /** All that were recorded so far. */
  read(): TurnTimes;
}

/** Times are kept to the microsecond, about. */
export function createTurnRecorder(): TurnRecorder {
  const histogram = createHistogram();
  let [above20, above50] = [0, 0];
  const percentile = (share: number) => histogram.percentile(share) / 1_000;
  return {
    record(milliseconds) {
      histogram.record(Math.max(1, Math.round(milliseconds * 1_000)));
      if (milliseconds > 20) above20 += 1;
      if (milliseconds > 50) above50 += 1;
    },
    read: () => ({
      turns: histogram.count,
      p50: percentile(50),
      p99: percentile(99),
      p999: percentile(99.9),
      longest: histogram.count === 0 ? 0 : histogram.max / 1_000,
      above20,
      above50,
    }),
  };
}

/** For people, in one line. */
export const turnTimesText = ({ turns, p50, p99, p999, longest, above20, above50 }: TurnTimes): string =>
  `${turns} turns, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, p99.9 ${p999.toFixed(2)} ms, ` +
  `longest ${longest.toFixed(1)} ms, ${above20} above 20 ms, ${above50} above 50 ms`;
