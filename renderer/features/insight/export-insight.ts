import {
  type Insight,
  type InsightName,
  type InsightTimes,
  type ListedGroup,
  LISTED_GROUPS,
  insightSchema,
} from '#backend/contract/insight.ts';
import { csvHead, csvLines } from '#renderer/alerts/export/export-file.ts';
import type { ExportOptions } from '#renderer/alerts/export/file-export-dialog.tsx';
import { apiGet } from '#renderer/lib/api-client.ts';
import { hourText, weekdayText } from './figure-labels.ts';

const COLUMNS = [
  'Figures by',
  'Id',
  'Name',
  'Arrived',
  'Critical',
  'High',
  'Warning',
  'Others',
  'Resolved before acceptance',
  'Hours passed',
  'Accepted',
  'Accept median (s)',
  'Accept 90 % (s)',
  'Completed',
  'Complete median (s)',
  'Complete 90 % (s)',
  'Repeats',
  'Suppressed',
  'Flapped',
] as const;

type Cell = string | number;

const secondsOf = (milliseconds: number | null): Cell => (milliseconds === null ? '' : milliseconds / 1_000);
const timesOf = ({ alerts, median, ninetieth }: InsightTimes): Cell[] => [
  alerts,
  secondsOf(median),
  secondsOf(ninetieth),
];
const EMPTY = (cells: number): Cell[] => Array.from({ length: cells }, () => '');

const GROUP_NAMES: Record<ListedGroup, string> = {
  customer: 'customer',
  alertType: 'type',
  source: 'source',
  person: 'person',
  window: 'maintenance window',
  rule: 'outgoing rule',
};

/** What the file calls a row of a group. Of a rule that was deleted nobody knows which kind it was. */
function kindOf(group: ListedGroup, { name, isOnArrival }: InsightName): string {
  if (group !== 'rule') return GROUP_NAMES[group];
  return isOnArrival ? 'rule on arrival' : name === null ? 'rule' : GROUP_NAMES.rule;
}

/** A row for all, for each day, hour of the week, name of a list, and problem that was delivered most. */
export function rowsOf({ totals, days, week, groups, problems, from, to, timeZone }: Insight): Cell[][] {
  const all = [
    'all',
    '',
    `${from} to ${to}, ${timeZone}`,
    totals.arrived,
    ...EMPTY(4),
    totals.resolvedFirst,
    '',
    ...timesOf(totals.accept),
    ...timesOf(totals.complete),
    totals.repeats,
    totals.suppressed,
    totals.flapped,
  ];
  const ofDays = days.map(({ date, critical, high, warning, others, accept, complete }) => [
    'day',
    date,
    date,
    critical + high + warning + others,
    critical,
    high,
    warning,
    others,
    '',
    '',
    ...timesOf(accept),
    ...timesOf(complete),
    ...EMPTY(3),
  ]);
  const ofHours = week.arrived.map((arrived, at) => [
    'hour of the week',
    at,
    `${weekdayText(Math.floor(at / 24))} ${hourText(at % 24)}`,
    arrived,
    ...EMPTY(5),
    Math.round((week.hours[at] ?? 0) * 1_000) / 1_000,
    ...EMPTY(9),
  ]);
  const ofNames = LISTED_GROUPS.flatMap((group) =>
    groups[group].map((row) => [
      kindOf(group, row),
      row.id ?? '',
      row.name ?? '',
      row.arrived,
      ...EMPTY(6),
      ...timesOf(row.accept),
      ...timesOf(row.complete),
      row.repeats,
      row.suppressed,
      row.flapped,
    ]),
  );
  const ofProblems = problems.map(({ alertId, title, arrived, deliveries, accept, complete, suppressed, flapped }) => [
    'problem',
    alertId ?? '',
    title ?? '',
    arrived,
    ...EMPTY(6),
    ...timesOf(accept),
    ...timesOf(complete),
    deliveries - arrived,
    suppressed,
    flapped,
  ]);
  return [all, ...ofDays, ...ofHours, ...ofNames, ...ofProblems];
}

/** Rows that are written before the browser has its turn. */
const ROWS_AT_ONCE = 200;

/** Reads the figures once more, and writes them into a file. */
export async function exportInsight(path: string, { format, signal, onProgress }: ExportOptions): Promise<Blob> {
  const insight = await apiGet(path, insightSchema, { signal });
  if (format === 'json') return new Blob([`${JSON.stringify(insight, null, 2)}\n`], { type: 'application/json' });
  const rows = rowsOf(insight);
  const pieces = [csvHead(COLUMNS)];
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    signal.throwIfAborted();
    pieces.push(csvLines(rows.slice(at, at + ROWS_AT_ONCE)));
    onProgress({ done: Math.min(rows.length, at + ROWS_AT_ONCE), total: rows.length });
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
  return new Blob(pieces, { type: 'text/csv' });
}
