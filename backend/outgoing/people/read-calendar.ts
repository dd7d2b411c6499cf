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

/** Repetitions of one event that are looked at: a daily one of fifty years. */
const MAX_REPETITIONS = 20_000;

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
  for (const component of events) {
    if (component.hasProperty('recurrence-id')) continue;
    const rule = component.getFirstPropertyValue('rrule');
    // Nobody is on for less than a day's repetition; a rule by the second would be counted through for ever.
    if (rule instanceof ICAL.Recur && ['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)) continue;
    for (const { event, start, end } of occurrencesOf(component, to, fallback)) {
      if (/^CANCEL/i.test(String(event.component.getFirstPropertyValue('status')))) continue;
      if (end > from && start < to && end > start) spans.push({ from: start, to: end, names: namesOf(event) });
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

function* occurrencesOf(component: ICAL.Component, to: number, fallback: string) {
  const event = new ICAL.Event(component);
  const zoneOf = (property: string): string | undefined =>
    zoneNamed(component.getFirstProperty(property)?.getFirstParameter('tzid'));
  const zone = zoneOf('dtstart');
  if (!event.isRecurring()) {
    yield {
      event,
      start: momentOf(event.startDate, zone, fallback),
      end: momentOf(event.endDate, zoneOf('dtend') ?? zone, fallback),
    };
    return;
  }
  const iterator = event.iterator();
  for (let count = 0; count < MAX_REPETITIONS; count += 1) {
    const next = iterator.next() as ICAL.Time | undefined | null;
    if (!next) return;
    if (momentOf(next, zone, fallback) > to) return;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const own = zoneNamed(item.component.getFirstProperty('dtstart')?.getFirstParameter('tzid')) ?? zone;
    yield { event: item, start: momentOf(startDate, own, fallback), end: momentOf(endDate, own, fallback) };
  }
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
