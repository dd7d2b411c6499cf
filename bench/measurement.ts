/** What one run of the load generator saw. Latencies in milliseconds. */
export interface Measurement {
  /** Answers per second. */
  perSecond: number;
  p50: number;
  p99: number;
  answers: number;
  /** Errors, timeouts and answers other than 202. */
  failures: number;
  /** Processor time for each answer, where it was measured. */
  cpu?: CpuPerAnswer;
}

/** Processor time for each answer, user and system together, in microseconds. */
export interface CpuPerAnswer {
  /** Of all threads of the server, until everything that came with the answers is done: the search index caught up, too. */
  server: number;
  /** Of the database's own process; 0 where there is none or the system does not report it. */
  database: number;
}

/** The middle of the values, or the mean of the middle two. @throws {RangeError} when there are none */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  if (low === undefined || high === undefined) throw new RangeError('There is no median of nothing.');
  return (low + high) / 2;
}

/** The least value that so many of a hundred are at or below. @throws {RangeError} when there are none */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('There is no percentile of nothing.');
  return value;
}

/** The medians of several runs, figure by figure; failures are added up. */
export const summarize = (runs: readonly Measurement[]): Measurement => ({
  perSecond: median(runs.map(({ perSecond }) => perSecond)),
  p50: median(runs.map(({ p50 }) => p50)),
  p99: median(runs.map(({ p99 }) => p99)),
  answers: runs.reduce((sum, { answers }) => sum + answers, 0),
  failures: runs.reduce((sum, { failures }) => sum + failures, 0),
  ...(runs.every(({ cpu }) => cpu) && {
    cpu: { server: median(runs.map(cpuOf('server'))), database: median(runs.map(cpuOf('database'))) },
  }),
});

/** Processor time of one of the processes, of a run; none where it was not measured. */
export const cpuOf =
  (process: keyof CpuPerAnswer) =>
  ({ cpu }: Measurement): number =>
    cpu?.[process] ?? Number.NaN;

/** Median of the ratios of runs that stood next to each other, so that a slow minute of the machine cancels out. */
export const medianRatio = (numerators: readonly number[], denominators: readonly number[]): number =>
  median(numerators.map((value, index) => value / (denominators[index] ?? Number.NaN)));
