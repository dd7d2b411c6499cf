import { type ReadMeasurement, nameOf } from './measure-reads.ts';
import { type Measurement, median, summarize } from './measurement.ts';
import { cpuText } from './report.ts';

export const MIB = 2 ** 20;

/** What the database takes on the disk, in bytes, by table; of the embedded one by file. */
export type Sizes = Record<string, number>;

/** One stage: so many alerts. */
export interface Stage {
  alerts: number;
  sizes: Sizes;
  /** How long the daily comparison of search index and alerts took, in milliseconds. */
  comparedMs: number;
  reads: ReadMeasurement[];
  ingest: Measurement[];
  /** What the server's process holds after all that, in bytes. */
  memory: number;
}

/** What became of old alerts while others arrived. */
export interface RetentionRun {
  days: number;
  hasArchive: boolean;
  deleted: number;
  /** Until all were deleted, senders beside it for the first part of it, in seconds. */
  seconds: number;
  alone: Measurement[];
  beside: Measurement[];
  /** The bucket of the longest transaction of the server: it took at most so many seconds. */
  longestTransaction: number;
  /** The longest wait for a row that another transaction had locked, in milliseconds; MySQL alone counts them. */
  longestLockWait: number | undefined;
  archivedBytes: number;
}

/** Everything of one database. */
export interface ScaleMeasurement {
  stages: Stage[];
  retention: RetentionRun[];
}

/** Rows of the table at the end: each figure among a tenth of the alerts, among all of them, and their ratio. */
export function scaleRows(database: string, { stages, retention }: ScaleMeasurement): string[][] {
  const [small, large] = stages;
  if (!small || !large) return [];
  const row = (name: string, one: string, other: string, ratio = '') => [database, name, one, other, ratio];
  const perMillion = ({ alerts, sizes }: Stage, table: string) => ((sizes[table] ?? 0) / alerts) * (1_000_000 / MIB);
  return [
    row('alerts', small.alerts.toLocaleString('en'), large.alerts.toLocaleString('en')),
    ...Object.keys(large.sizes).map((table) =>
      row(`${table}, MiB a million`, perMillion(small, table).toFixed(0), perMillion(large, table).toFixed(0)),
    ),
    ...large.reads.map((after, at) => {
      const before = small.reads[at] ?? after;
      const [one, other] = [median(before.rounds), median(after.rounds)];
      return row(nameOf(after), `${one.toFixed(1)} ms`, `${other.toFixed(1)} ms`, ratio(one, other));
    }),
    ...(['perSecond', 'p99'] as const).map((figure) => {
      const [one, other] = [summarize(small.ingest)[figure], summarize(large.ingest)[figure]];
      return row(`ingest, ${figure}`, one.toFixed(1), other.toFixed(1), ratio(one, other));
    }),
    row('ingest', cpuText(summarize(small.ingest)), cpuText(summarize(large.ingest))),
    row(
      'daily comparison of the search index, s',
      (small.comparedMs / 1_000).toFixed(0),
      (large.comparedMs / 1_000).toFixed(0),
    ),
    row('memory of the server, MiB', (small.memory / MIB).toFixed(0), (large.memory / MIB).toFixed(0)),
    ...retention.flatMap((run) => {
      const what = run.hasArchive ? 'retention with an archive' : 'retention';
      const [alone, beside] = [median(run.alone.map(({ p99 }) => p99)), median(run.beside.map(({ p99 }) => p99))];
      const times = `at most ${run.longestTransaction} s a transaction, ${run.longestLockWait ?? '–'} ms for a row`;
      return [
        row(what, `${run.deleted} alerts`, `${run.seconds.toFixed(0)} s`, times),
        row(
          `p99 of ingest, alone and beside ${what}`,
          `${alone.toFixed(1)} ms`,
          `${beside.toFixed(1)} ms`,
          ratio(alone, beside),
        ),
        ...(run.hasArchive
          ? [row('archived', `${(run.archivedBytes / run.deleted).toFixed(0)} bytes an alert`, '')]
          : []),
      ];
    }),
  ];
}

const ratio = (before: number, after: number): string => `${(after / before).toFixed(2)} ×`;
