import ICAL from 'ical.js';
import { instantOf, isTimeZone } from '#backend/contract/search-times.ts';

/** One time at which an event says who is on. */
export interface CalendarSpan {
  /** Milliseconds since the epoch; `to` is not in it. */
  from: number;
  to: number;
  /** Emails of its attendees in lower case, their names, and its summary. */
  names: { emails: string[]; texts: string[] };
}

/** Repetitions of one event that are read: a daily one of a hundred years. */
const MAX_REPETITIONS = 40_000;

/** Repetitions of all events within the days that are asked for. */
const MAX_SPANS = 20_000;

/** Rules that repeat within a day, by how long their unit is, in milliseconds. Rules by the second are nobody's shifts. */
const WITHIN_A_DAY: Record<string, number> = { HOURLY: 3_600_000, MINUTELY: 60_000 };
const DAY_MS = 24 * 3_600_000;

/** A calendar is read for so long at once, from a moment on, in milliseconds: ladders ask for some hours ahead. */
export const READ_MS = 8 * DAY_MS;

/** Events of a calendar. */
const MAX_EVENTS = 5_000;

/** A text that is no calendar, or one that cannot be used, said to people. */
export class CalendarError extends Error {
  override name = 'CalendarError';
}

/**
 * What a calendar (RFC 5545) says about a span of time. Times are those of their zones: by the rules of the IANA name where it
 * is one, else by the file's own VTIMEZONE; times without a zone are those of `X-WR-TIMEZONE`, else UTC. Events that were
 * cancelled, and repetitions that were moved or left out, are read so.
 *
 * @throws {CalendarError} for a text that is no calendar
 */
export function spansBetween(text: string, from: number, to: number): CalendarSpan[] {
  const calendar = parse(text);
  const fallback = zoneNamed(calendar.getFirstPropertyValue('x-wr-timezone')) ?? 'UTC';
  const events = calendar.getAllSubcomponents('vevent');
  if (events.length > MAX_EVENTS)
    throw new CalendarError(`It has more than ${MAX_EVENTS.toLocaleString('en')} events.`);
  ICAL.TimezoneService.reset();
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const spans: CalendarSpan[] = [];
  // Handed over: of its own accord ical.js takes those of every event, by their times alone.
  const moved = Map.groupBy(
    events.filter((component) => component.hasProperty('recurrence-id')),
    uidOf,
  );
  for (const component of events) {
    const ownMoved = component.hasProperty('recurrence-id') ? undefined : moved.get(uidOf(component));
    const whole = new ICAL.Event(component, { exceptions: ownMoved ?? [] });
    for (const { event, start, end } of occurrencesOf(whole, { from, to }, fallback)) {
      if (/^CANCEL/i.test(String(event.component.getFirstPropertyValue('status')))) continue;
      if (!(end > from && start < to && end > start)) continue;
      spans.push({ from: start, to: end, names: namesOf(event) });
      if (spans.length > MAX_SPANS) throw new CalendarError('Too many of its events lie within a few days.');
    }
  }
  return spans;
}

function parse(text: string): ICAL.Component {
  try {
    const component = new ICAL.Component(ICAL.parse(text) as never);
    if (component.name !== 'vcalendar')
      throw new CalendarError('It is no calendar: it does not begin with BEGIN:VCALENDAR.');
    return component;
  } catch (error) {
    if (error instanceof CalendarError) throw error;
    throw new CalendarError(
      `It is no calendar: ${error instanceof Error ? error.message : String(error)}`.slice(0, 250),
      {
        cause: error,
      },
    );
  }
}

const uidOf = (component: ICAL.Component): string => String(component.getFirstPropertyValue('uid'));

function* occurrencesOf(event: ICAL.Event, { from, to }: { from: number; to: number }, fallback: string) {
  const { component } = event;
  const zoneOf = (property: string): string | undefined =>
    zoneNamed(component.getFirstProperty(property)?.getFirstParameter('tzid'));
  const zone = zoneOf('dtstart');
  // What was moved is at its own time: its original one may lie far outside of what is asked for.
  if (event.isRecurrenceException() || !event.isRecurring()) {
    yield {
      event,
      start: momentOf(event.startDate, zone, fallback),
      end: momentOf(event.endDate, zoneOf('dtend') ?? zone, fallback),
    };
    return;
  }
  const rule = component.getFirstPropertyValue('rrule');
  if (rule instanceof ICAL.Recur && rule.freq === 'SECONDLY') return;
  const moved = new Set(
    Object.values(event.exceptions).map((one) => {
      const own = zoneNamed(one.component.getFirstProperty('recurrence-id')?.getFirstParameter('tzid'));
      return momentOf(one.recurrenceId, own ?? zone, fallback);
    }),
  );
  const iterator = event.iterator(firstOf(event, rule, from - momentOf(event.startDate, zone, fallback)));
  for (let count = 0; count < MAX_REPETITIONS; count += 1) {
    const next = iterator.next() as ICAL.Time | undefined | null;
    if (!next) return;
    const original = momentOf(next, zone, fallback);
    if (original > to) return;
    // It is read as the event that it was moved to.
    if (moved.has(original) || String(next) in event.exceptions) continue;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const own = zoneNamed(item.component.getFirstProperty('dtstart')?.getFirstParameter('tzid')) ?? zone;
    yield { event: item, start: momentOf(startDate, own, fallback), end: momentOf(endDate, own, fallback) };
  }
}

/**
 * From where on a rule that repeats within a day is counted through: a day before what is asked for, in whole steps from its
 * start, so that it goes on as it would. One that ends after a number of repetitions is counted through from its start.
 *
 * @param aheadMs from its start to what is asked for
 */
function firstOf(event: ICAL.Event, rule: unknown, aheadMs: number): ICAL.Time | undefined {
  const unitMs = rule instanceof ICAL.Recur ? WITHIN_A_DAY[rule.freq] : undefined;
  if (!(rule instanceof ICAL.Recur) || unitMs === undefined || rule.count) return undefined;
  const stepMs = rule.interval * unitMs;
  const lengthMs = event.duration.toSeconds() * 1000;
  const steps = Math.floor((aheadMs - lengthMs - DAY_MS) / stepMs);
  if (steps <= 0) return undefined;
  const first = event.startDate.clone();
  const seconds = (steps * stepMs) / 1000;
  first.adjust(Math.floor(seconds / 86_400), 0, 0, seconds % 86_400);
  return first;
}

const zoneNamed = (name: unknown): string | undefined => {
  const text = typeof name === 'string' ? name.replace(/^\/[^/]+\//, '') : undefined;
  return text !== undefined && isTimeZone(text) ? text : undefined;
};

/** When clocks of a zone show a time. A whole day begins at midnight of the calendar's zone. */
function momentOf(time: ICAL.Time, zone: string | undefined, fallback: string): number {
  if (!time.isDate && time.zone === ICAL.Timezone.utcTimezone) return time.toUnixTime() * 1000;
  const isFloating = time.isDate || time.zone === ICAL.Timezone.localTimezone;
  if (zone === undefined && !isFloating) return time.toUnixTime() * 1000;
  const local = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  return instantOf(local, zone ?? fallback);
}

function namesOf(event: ICAL.Event): CalendarSpan['names'] {
  const emails: string[] = [];
  const texts: string[] = [];
  for (const attendee of event.attendees) {
    if (attendee.getFirstParameter('partstat') === 'DECLINED') continue;
    const email = /^mailto:(.+)$/i.exec(String(attendee.getFirstValue()))?.[1];
    if (email !== undefined) emails.push(email.toLowerCase());
    const name = attendee.getFirstParameter('cn');
    if (name) texts.push(name);
  }
  if (event.summary) texts.push(event.summary);
  return { emails, texts };
}
