import type { IngestMeasurements } from './measure-ingest.ts';
import { INGEST_VARIANTS } from './ingest-writers.ts';
import { medianRatio, summarize } from './measurement.ts';

/** What quality.md asks of the two rows of its speed table, and the p99 with them. */
const TARGETS = [
  { name: 'against no database', required: 0.4, goal: 0.6, isAtLeast: true },
  { name: 'against save() per request', required: 6, goal: 9, isAtLeast: true },
  { name: 'p99 against no database', required: 4, goal: 2.5, isAtLeast: false },
] as const;

/** One requirement with what was measured. */
export interface Verdict {
  name: string;
  ratio: number;
  required: number;
  goal: number;
  reached: 'goal' | 'required' | 'missed';
}

/** The ratios of group commit, round by round against its neighbours, and what they reach. */
export function judgeIngest(measured: IngestMeasurements): Verdict[] {
  const perSecond = (variant: keyof IngestMeasurements) => measured[variant].map((run) => run.perSecond);
  const p99 = (variant: keyof IngestMeasurements) => measured[variant].map((run) => run.p99);
  const ratios = [
    medianRatio(perSecond('group commit'), perSecond('no database')),
    medianRatio(perSecond('group commit'), perSecond('save() per request')),
    medianRatio(p99('group commit'), p99('no database')),
  ];
  return TARGETS.map(({ name, required, goal, isAtLeast }, index) => {
    const ratio = ratios[index] ?? Number.NaN;
    const meets = (limit: number) => (isAtLeast ? ratio >= limit : ratio <= limit);
    return { name, ratio, required, goal, reached: meets(goal) ? 'goal' : meets(required) ? 'required' : 'missed' };
  });
}

/** Rows of the one table at the end: a line for every variant and for every requirement. */
export function ingestRows(database: string, measured: IngestMeasurements): string[][] {
  const variants = INGEST_VARIANTS.map((variant) => {
    const { perSecond, p50, p99 } = summarize(measured[variant]);
    return [database, variant, `${Math.round(perSecond)} /s`, `p50 ${p50.toFixed(2)} ms`, `p99 ${p99.toFixed(2)} ms`];
  });
  const verdicts = judgeIngest(measured).map(({ name, ratio, required, goal, reached }) => [
    database,
    `group commit ${name}`,
    `${ratio.toFixed(2)} ×`,
    `must ${required} ×, goal ${goal} ×`,
    reached,
  ]);
  return [...variants, ...verdicts];
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
