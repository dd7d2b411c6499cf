import { instantOf, startOfDay, utcOffsetAt } from '#backend/contract/search-times.ts';
import { localTimesOf, parseRepeatRule } from './repeat-rule.ts';

const MINUTE_MS = 60_000;

/** When a window is on: from a moment on, for so long, and again by a rule. */
export interface Schedule {
  /** Of the first time, in milliseconds since the epoch. */
  startsAt: number;
  minutes: number;
  /** IANA name: by its clocks the rule repeats. */
  timeZone: string;
  /** RFC 5545; null for once. */
  rrule: string | null;
}

/** One time at which a window is on; `endsAt` is not in it. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

/**
 * The times of a schedule in their order. Each begins when the clocks of its time zone show the hour of the first one; an hour
 * that they leave out is the moment at which they leave it out, of one that they show twice it is the first. Each lasts as long
 * as it is to last, whatever the clocks do meanwhile (RFC 5545, section 3.3.6: hours are exact).
 *
 * @throws {RepeatRuleError} for a rule that windows cannot have
 */
export function* spansOf({ startsAt, minutes, timeZone, rrule }: Schedule): Generator<Span> {
  const spanAt = (at: number): Span => ({ startsAt: at, endsAt: at + minutes * MINUTE_MS });
  if (rrule === null) {
    yield spanAt(startsAt);
    return;
  }
  const parts = parseRepeatRule(rrule);
  const until = untilOf(parts.get('UNTIL'), timeZone);
  const first = Math.floor((startsAt + utcOffsetAt(startsAt, timeZone)) / MINUTE_MS) * MINUTE_MS;
  for (const local of localTimesOf(parts, first)) {
    // The first keeps its moment, also in an hour that clocks show twice.
    const at = local === first ? startsAt : instantOf(local, timeZone);
    if (at > until) return;
    yield spanAt(at);
  }
}

/** The last moment at which a rule may begin. A day counts to its end; a time is local where it has no Z. */
function untilOf(text: string | undefined, timeZone: string): number {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/.exec(text ?? '') ?? [];
  if (year === undefined) return Infinity;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour ?? 0), Number(minute ?? 0));
  if (hour === undefined) {
    const next = new Date(local + 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);
    return startOfDay(next, timeZone) - 1;
  }
  const exact = local + Number(second) * 1000;
  return utc === 'Z' ? exact : instantOf(exact, timeZone);
}

/** The next times that have not ended at a moment, so many at most. @throws {RepeatRuleError} */
export function nextSpans(schedule: Schedule, after: number, count: number): Span[] {
  const found: Span[] = [];
  for (const span of spansOf(schedule)) {
    if (span.endsAt <= after) continue;
    found.push(span);
    if (found.length >= count) break;
  }
  return found;
}

/** The last time that had ended at a moment. @throws {RepeatRuleError} */
function lastSpanBefore(schedule: Schedule, now: number): Span | undefined {
  let last: Span | undefined;
  for (const span of spansOf(schedule)) {
    if (span.endsAt > now) break;
    last = span;
  }
  return last;
}

const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * The last time before a moment as if the rule had always been there, else as long a time before it. @throws {RepeatRuleError}
 */
export function pastSpan(schedule: Schedule, now: number): Span {
  const { startsAt, minutes, timeZone, rrule } = schedule;
  const length = minutes * MINUTE_MS;
  const weeks = Math.ceil(Math.max(0, startsAt - now + length) / WEEK_MS) + 5;
  // Clocks show the same hour then, however far ahead they were.
  const earlier = instantOf(startsAt + utcOffsetAt(startsAt, timeZone) - weeks * WEEK_MS, timeZone);
  const isCounted = /COUNT|INTERVAL/.test(rrule ?? '');
  const last = rrule === null || isCounted ? undefined : lastSpanBefore({ ...schedule, startsAt: earlier }, now);
  return last ?? { startsAt: now - length, endsAt: now };
}

/** How far ahead a change of clocks is searched: a year and a little. */
const CHANGE_MS = 400 * 24 * 60 * MINUTE_MS;

/** The first of the next times at which clocks are set otherwise than at the first of them, or are set meanwhile. */
export function firstAfterClockChange(schedule: Schedule, after: number): Span | undefined {
  let ahead: number | undefined;
  for (const span of spansOf(schedule)) {
    if (span.endsAt <= after) continue;
    ahead ??= utcOffsetAt(span.startsAt, schedule.timeZone);
    if (span.startsAt > after + CHANGE_MS) return undefined;
    if (utcOffsetAt(span.endsAt, schedule.timeZone) !== ahead) return span;
  }
  return undefined;
}

/** Whether a time begins before the one before it has ended. @throws {RepeatRuleError} */
export function overlapsItself(schedule: Schedule): boolean {
  let before: Span | undefined;
  let looked = 0;
  for (const span of spansOf(schedule)) {
    if (before && span.startsAt < before.endsAt) return true;
    before = span;
    looked += 1;
    if (looked >= 400) return false;
  }
  return false;
}
