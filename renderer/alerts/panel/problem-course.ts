import type { Alert, AlertSeverity } from '#backend/contract/alert.ts';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';

/** How a problem went, in parts of the time from its beginning (0) to its end or now (1). */
export interface Course {
  /** One for each occurrence; empty when they are too many. */
  ticks: number[];
  /** Instead of too many ticks: how many fell into each interval, the most being 1. */
  bars: { from: number; to: number; height: number }[];
  /** What it was, one after the other; `at` is when each began. */
  segments: { from: number; to: number; severity: AlertSeverity; isAcknowledged: boolean; at: Date }[];
  /** When it was reported resolved. */
  resolutions: number[];
  end: Date | 'now';
}

/** More ticks than this run into each other. */
const MAX_TICKS = 60;
const INTERVALS = 40;

/** How long one entry of the history counts repeats, in milliseconds. */
const COUNTED_MS = 60 * 60 * 1000;

/**
 * The course of a problem, from its history, newest first. Of repeats that one entry counts, only the first moment is
 * known: the others are spread over the rest of its hour. Undefined for what has no lifecycle.
 */
export function courseOf(
  alert: Pick<Alert, 'state' | 'severity' | 'timestamp' | 'lastSeenAt' | 'resolvedAt' | 'occurrences'>,
  history: readonly HistoryEntry[],
  now: number,
): Course | undefined {
  if (alert.state === 'event') return undefined;
  const start = Date.parse(alert.timestamp);
  const resolvedAt = alert.state === 'resolved' ? Date.parse(alert.resolvedAt ?? alert.lastSeenAt) : undefined;
  // A clock of this device that is behind the server's must not turn time around.
  const end = Math.max(resolvedAt ?? now, Date.parse(alert.lastSeenAt), start + 1);
  const partOf = (time: number): number => Math.min(1, Math.max(0, (time - start) / (end - start)));
  const entries = history.map((entry) => ({ ...entry, time: Date.parse(entry.createdAt) })).toReversed();

  const times = [start, ...occurrencesIn(entries, Date.parse(alert.lastSeenAt))];
  const isFew = times.length <= MAX_TICKS;
  return {
    ticks: isFew ? times.map(partOf) : [],
    bars: isFew ? [] : barsOf(times.map(partOf)),
    segments: segmentsOf(alert, entries, start).map(({ time, until, severity, isAcknowledged }) => ({
      severity,
      isAcknowledged,
      at: new Date(time),
      from: partOf(time),
      to: partOf(until ?? end),
    })),
    resolutions: entries.filter(({ action }) => action === 'resolved').map(({ time }) => partOf(time)),
    end: resolvedAt === undefined ? 'now' : new Date(resolvedAt),
  };
}

type TimedEntry = HistoryEntry & { time: number };

function occurrencesIn(entries: readonly TimedEntry[], last: number): number[] {
  return entries
    .filter(({ action }) => action === 'repeated')
    .flatMap(({ time, occurrences = 1 }) => {
      const until = Math.max(time, Math.min(time + COUNTED_MS, last));
      return Array.from({ length: occurrences }, (_, index) =>
        occurrences === 1 ? time : time + ((until - time) * index) / (occurrences - 1),
      );
    });
}

function barsOf(parts: readonly number[]): Course['bars'] {
  const counts = Array.from({ length: INTERVALS }, () => 0);
  for (const part of parts) {
    const interval = Math.min(INTERVALS - 1, Math.floor(part * INTERVALS));
    counts[interval] = (counts[interval] ?? 0) + 1;
  }
  const most = Math.max(...counts);
  return counts.flatMap((count, index) =>
    count === 0 ? [] : [{ from: index / INTERVALS, to: (index + 1) / INTERVALS, height: count / most }],
  );
}

interface Segment {
  time: number;
  until?: number;
  severity: AlertSeverity;
  isAcknowledged: boolean;
}

/** What says of a problem whether its sender counts it as acknowledged. */
const MARKS = new Set<HistoryEntry['action']>(['acknowledged', 'unacknowledged', 'reopened']);

function segmentsOf(
  alert: Pick<Alert, 'state' | 'severity' | 'lastSeenAt'>,
  entries: readonly TimedEntry[],
  start: number,
): Segment[] {
  const first = entries.find(({ action }) => action === 'severity_change')?.previousSeverity ?? alert.severity;
  // A report of an acknowledged problem as firing takes that back without an entry of its own.
  const marked = entries.findLastIndex(({ action }) => MARKS.has(action));
  const isTakenBack = alert.state === 'firing' && entries[marked]?.action === 'acknowledged';
  let last: Segment = { time: start, severity: first, isAcknowledged: false };
  const segments = [last];
  const begin = (time: number, { severity, isAcknowledged }: Pick<Segment, 'severity' | 'isAcknowledged'>): void => {
    last.until = time;
    last = { time, severity, isAcknowledged };
    segments.push(last);
  };
  for (const [index, { action, time, newSeverity }] of entries.entries()) {
    if (action === 'severity_change') begin(time, { ...last, severity: newSeverity ?? 'none' });
    else if (action === 'acknowledged') begin(time, { ...last, isAcknowledged: true });
    else if (MARKS.has(action)) begin(time, { ...last, isAcknowledged: false });
    else if (action === 'repeated' && isTakenBack && index > marked && last.isAcknowledged)
      begin(time, { ...last, isAcknowledged: false });
  }
  // Its report was counted in an entry that is older than the acknowledgement.
  if (isTakenBack && last.isAcknowledged)
    begin(Math.max(last.time, Date.parse(alert.lastSeenAt)), { ...last, isAcknowledged: false });
  // What lasted no time is no part of it.
  return segments.filter(({ time, until }) => until === undefined || until > time);
}
