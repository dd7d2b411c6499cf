import { type Measurement, cpuOf, medianRatio, summarize } from './measurement.ts';

/** A limit of one measurement: `required` must hold, `goal` is better. */
export interface Target {
  name: string;
  unit: '×' | 'ms' | 'KB' | 'MB' | '';
  required: number;
  goal: number;
  /** True when more is better. */
  isAtLeast: boolean;
}

/** One requirement with what was measured. */
export interface Verdict extends Target {
  value: number;
  reached: 'goal' | 'required' | 'missed';
}

/** What a measured value reaches. */
export function judge(target: Target, value: number): Verdict {
  const meets = (limit: number) => (target.isAtLeast ? value >= limit : value <= limit);
  return { ...target, value, reached: meets(target.goal) ? 'goal' : meets(target.required) ? 'required' : 'missed' };
}

/** One figure of the runs against that of their neighbours, round by round. */
export const ratioOf = (figure: 'perSecond' | 'p99', runs: readonly Measurement[], others: readonly Measurement[]) =>
  medianRatio(
    runs.map((run) => run[figure]),
    others.map((run) => run[figure]),
  );

/** The processor time of one process against that of the other runs' server, round by round. */
export const cpuRatioOf = (
  process: 'server' | 'database',
  runs: readonly Measurement[],
  others: readonly Measurement[],
): number => medianRatio(runs.map(cpuOf(process)), others.map(cpuOf('server')));

/** Processor time for people; nothing where it was not measured. */
export function cpuText({ cpu }: Measurement): string {
  if (!cpu) return '';
  return `CPU ${cpu.server.toFixed(0)} µs${cpu.database > 0 ? ` + ${cpu.database.toFixed(0)} µs database` : ''}`;
}

/** A row of the one table at the end: what was measured of a variant. */
export function measurementRow(database: string, name: string, runs: readonly Measurement[]): string[] {
  const all = summarize(runs);
  const latencies = `p50 ${all.p50.toFixed(2)} ms, p99 ${all.p99.toFixed(2)} ms`;
  return [database, name, `${Math.round(all.perSecond)} /s`, latencies, cpuText(all)];
}

/** A count has no unit. */
const withUnit = (value: number | string, unit: string): string => `${value} ${unit}`.trimEnd();

/** A row of the one table at the end: a requirement, and whether it is met. */
export const verdictRow = (database: string, { name, value, unit, required, goal, reached }: Verdict): string[] => [
  database,
  name,
  withUnit(value.toFixed(unit === '×' ? 2 : unit === '' ? 0 : 1), unit),
  `must ${withUnit(required, unit)}, goal ${withUnit(goal, unit)}`,
  reached,
];

/** A requirement as a row of the table has it. */
export interface ReadVerdict {
  database: string;
  name: string;
  measured: string;
  must: string;
  goal: string;
  reached: string;
}

/** Reads what {@link verdictRow} wrote; undefined for a row of another kind. */
export function readVerdictRow([
  database = '',
  name = '',
  measured = '',
  limits = '',
  reached = '',
]: readonly string[]): ReadVerdict | undefined {
  const [, must, goal] = /^must (.+), goal (.+)$/.exec(limits) ?? [];
  return must === undefined || goal === undefined ? undefined : { database, name, measured, must, goal, reached };
}

/** Columns lined up, under a heading. */
export function formatTable(heading: string[], rows: string[][]): string {
  const all = [heading, ...rows];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(heading), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n');
}
