import { setImmediate as nextTurn } from 'node:timers/promises';
import { In } from 'typeorm';
import type { WindowPreview, WindowPreviewQuery } from '#backend/contract/maintenance.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { bothRanges, findIds } from '#backend/alerts/lists/count-narrowed.ts';
import { utcOffsetAt } from '#backend/contract/search-times.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween } from '#backend/platform/database/id-times.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { hasReadableRule } from './plan-occurrence.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { requireWindowSearch } from './quiet-windows.ts';
import { type Schedule, type Span, firstAfterClockChange, nextSpans, pastSpan, spansOf } from './schedule.ts';
import { scheduleOf } from './requested-schedule.ts';
import { type StoredWindow, WindowEntity } from './window-entities.ts';

/** Next times that are shown. */
const TIMES = 4;

/** Alerts that are counted, and those that are named. */
const MAX_ALERTS = 2_000;
const NAMED = 3;

/** Dependencies of the preview. */
export interface PreviewDeps {
  database: Database;
  search: SearchIndex;
  /** How many messages about these alerts were made between two moments. */
  countMessages: (alertIds: readonly string[], from: number, to: number) => Promise<number>;
}

/**
 * What a window would do, and what it would have done.
 *
 * @throws {ProblemError} 422 for a search or a schedule that no window can have
 */
export async function previewWindow(deps: PreviewDeps, written: WindowPreviewQuery): Promise<WindowPreview> {
  requireWindowSearch(written.search);
  const now = Date.now();
  const schedule = scheduleOf(written, now);
  const stored = await deps.database.reads.getRepository(WindowEntity).find();
  // When one whose rule another release has stored comes is not known.
  const others = stored.filter((one) => one.id !== written.windowId && hasReadableRule(one));
  const times = nextSpans(schedule, now, TIMES);
  const change = schedule.rrule === null ? undefined : firstAfterClockChange(schedule, now);
  const until = Math.max(change?.endsAt ?? 0, ...times.map(({ endsAt }) => endsAt));
  const named = await spansUntil(others, until);
  const present = (span: Span) => ({ ...isoSpan(span), overlaps: overlapping(named, span) });
  return {
    times: times.map(present),
    ...(change && { afterChange: { ...present(change), isOnSummerTime: isOnSummerTime(change, schedule) } }),
    past: await pastOf(deps, written.search, pastSpan(schedule, now)),
  };
}

const isoSpan = ({ startsAt, endsAt }: Span) => ({
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(endsAt).toISOString(),
});

/** The times of windows up to a moment, by their names. */
async function spansUntil(windows: readonly StoredWindow[], until: number): Promise<ReadonlyMap<string, Span[]>> {
  const named = new Map<string, Span[]>();
  for (const window of windows) {
    const spans: Span[] = [];
    for (const span of spansOf(window)) {
      if (span.startsAt >= until) break;
      spans.push(span);
    }
    named.set(window.name, spans);
    // Each may have thousands.
    await nextTurn();
  }
  return named;
}

/** Names of the windows that are on at some moment of a time. */
const overlapping = (named: ReadonlyMap<string, readonly Span[]>, span: Span): string[] =>
  [...named].flatMap(([name, spans]) =>
    spans.some(({ startsAt, endsAt }) => startsAt < span.endsAt && endsAt > span.startsAt) ? [name] : [],
  );

/** Whether clocks are further ahead at its end than at the beginning or in the middle of its year. */
function isOnSummerTime({ endsAt }: Span, { timeZone }: Schedule): boolean {
  const year = new Date(endsAt).getUTCFullYear();
  const standard = Math.min(...[0, 6].map((month) => utcOffsetAt(Date.UTC(year, month), timeZone)));
  return utcOffsetAt(endsAt, timeZone) > standard;
}

async function pastOf(
  { database, search, countMessages }: PreviewDeps,
  text: string,
  { startsAt, endsAt }: Span,
): Promise<WindowPreview['past']> {
  const list = await narrowStored(database, text);
  const range = bothRanges(list.range, await idsBetween(database.reads, { from: startsAt, to: endsAt }));
  const ids: string[] = [];
  for await (const some of findIds({ database, search }, { ...list, range })) {
    ids.push(...some);
    if (ids.length > MAX_ALERTS) break;
  }
  const counted = ids.slice(0, MAX_ALERTS);
  let stillFiring = 0;
  for (let at = 0; at < counted.length; at += 500) {
    const rows = await database.reads.getRepository(AlertEntity).find({
      select: { id: true, status: true, resolvedAt: true, completedAt: true },
      where: { id: In(counted.slice(at, at + 500)) },
    });
    stillFiring += rows.filter(
      ({ status, resolvedAt, completedAt }) =>
        (resolvedAt ?? endsAt) >= endsAt && (status !== 'completed' || (completedAt ?? endsAt) >= endsAt),
    ).length;
    await nextTurn();
  }
  const named = await database.reads.getRepository(AlertEntity).find({
    select: { id: true, title: true, alertType: true, customer: true, severity: true, receivedAt: true },
    where: { id: In(counted.slice(0, NAMED)) },
    order: { id: 'DESC' },
  });
  return {
    from: new Date(startsAt).toISOString(),
    to: new Date(endsAt).toISOString(),
    alerts: counted.length,
    notifications: await countMessages(counted, startsAt, endsAt),
    stillFiring,
    isComplete: ids.length <= MAX_ALERTS,
    newest: named.map(({ id, title, alertType, customer, severity, receivedAt }) => ({
      id,
      title: title ?? alertType ?? customer ?? '',
      severity: severity ?? 'none',
      timestamp: new Date(receivedAt).toISOString(),
    })),
  };
}
