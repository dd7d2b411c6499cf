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
    // An event may say nothing of when it is (RFC 5545, section 3.6.1): nobody is on by it.
    if (!component.hasProperty('dtstart')) continue;
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
  const zone = zoneOf(component, 'dtstart');
  for (const { period, own } of takePeriods(component, zone)) {
    yield { event, start: momentOf(period.start, own, fallback), end: momentOf(period.getEnd(), own, fallback) };
  }
  // What was moved is at its own time: its original one may lie far outside of what is asked for.
  if (event.isRecurrenceException() || !event.isRecurring()) {
    yield {
      event,
      start: momentOf(event.startDate, zone, fallback),
      end: momentOf(event.endDate, zoneOf(component, 'dtend') ?? zone, fallback),
    };
    return;
  }
  const rule = component.getFirstPropertyValue('rrule');
  if (rule instanceof ICAL.Recur && rule.freq === 'SECONDLY') return;
  const moved = new Set(
    Object.values(event.exceptions).map((one) =>
      momentOf(one.recurrenceId, zoneOf(one.component, 'recurrence-id') ?? zone, fallback),
    ),
  );
  const isLeftOut = takeLeftOut(event, zone, fallback);
  const isAfterEnd = takeEnd(event, zone, fallback);
  const iterator = event.iterator(firstOf(event, rule, from - momentOf(event.startDate, zone, fallback)));
  for (let count = 0; count < MAX_REPETITIONS; count += 1) {
    const next = iterator.next() as ICAL.Time | undefined | null;
    if (!next) return;
    const original = momentOf(next, zone, fallback);
    if (original > to) return;
    if (isLeftOut(next, original) || isAfterEnd(original)) continue;
    // It is read as the event that it was moved to.
    if (moved.has(original) || String(next) in event.exceptions) continue;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    const own = zoneOf(item.component, 'dtstart') ?? zone;
    const start = momentOf(startDate, own, fallback);
    // A length that is written, or none, is added to what clocks show.
    const hasLength = !item.component.hasProperty('dtend');
    yield {
      event: item,
      start,
      end: hasLength ? momentOf(endDate, own, fallback) : endOf(item, { startDate, start }, own, fallback),
    };
  }
}

/**
 * When a repetition ends whose first one has its end written: when clocks show the same time as at that, also where they were set
 * during the first one, of which ical.js takes the real length. Where an end is in another zone than its start, each has that length.
 */
function endOf(
  item: ICAL.Event,
  { startDate, start }: { startDate: ICAL.Time; start: number },
  zone: string | undefined,
  fallback: string,
): number {
  const endZone = zoneOf(item.component, 'dtend') ?? zone;
  if (endZone !== zone || item.endDate.zone.tzid !== item.startDate.zone.tzid)
    return start + momentOf(item.endDate, endZone, fallback) - momentOf(item.startDate, zone, fallback);
  const end = startDate.clone();
  end.addDuration(item.endDate.subtractDate(item.startDate));
  return momentOf(end, zone, fallback);
}

/**
 * Takes what EXDATE leaves out from an event. ical.js compares one after the other with its repetitions, and stays at one that
 * fits none.
 *
 * @returns whether a repetition is left out, by its time and moment
 */
function takeLeftOut(
  { component, startDate }: ICAL.Event,
  zone: string | undefined,
  fallback: string,
): (time: ICAL.Time, at: number) => boolean {
  const moments = new Set<number>();
  const days = new Set<string>();
  for (const { time, own } of timesIn(component, 'exdate', zone)) {
    if (time.isDate || startDate.isDate) days.add(dayOf(time));
    else moments.add(momentOf(time, own, fallback));
  }
  component.removeAllProperties('exdate');
  return (time, at) => moments.has(at) || (days.size > 0 && days.has(dayOf(time)));
}

/**
 * Takes the end of its rule from an event whose repetitions are at times of day. ical.js compares `UNTIL`, which is in UTC, with
 * what clocks show where the file does not have their zone, and takes a day for its beginning: it goes on for a day longer.
 *
 * @returns whether a moment is after that end; what RDATE adds never is
 */
function takeEnd(
  { component, startDate }: ICAL.Event,
  zone: string | undefined,
  fallback: string,
): (at: number) => boolean {
  const [rule, another] = component.getAllProperties('rrule').map((property) => property.getFirstValue());
  if (!(rule instanceof ICAL.Recur) || !rule.until || another !== undefined || startDate.isDate) return () => false;
  const { until } = rule;
  rule.until = until.clone();
  rule.until.adjust(1, 0, 0, 0);
  const end = until.clone();
  if (until.isDate) {
    end.isDate = false;
    end.adjust(1, 0, 0, -1);
  }
  if (until.zone !== ICAL.Timezone.utcTimezone) end.zone = startDate.zone;
  const endsAt = momentOf(end, zone, fallback);
  const added = new Set<number>();
  for (const { time, own } of timesIn(component, 'rdate', zone)) added.add(momentOf(time, own, fallback));
  return (at) => at > endsAt && !added.has(at);
}

/**
 * Takes what RDATE adds with an end of its own from an event, with the IANA name of its zone: ical.js repeats events at times
 * alone.
 */
function takePeriods(component: ICAL.Component, zone: string | undefined) {
  return component.getAllProperties('rdate').flatMap((property) => {
    const own = ownZoneOf(property, zone);
    const periods = property.getValues().filter((value) => value instanceof ICAL.Period);
    if (periods.length > 0) component.removeProperty(property);
    return periods.map((period) => ({ period, own }));
  });
}

/** The IANA name of the zone of what a property lists: that of its event, where it names none. */
function ownZoneOf(property: ICAL.Property, zone: string | undefined): string | undefined {
  const named: unknown = property.getFirstParameter('tzid');
  return named === undefined ? zone : zoneNamed(named);
}

/** The times that an event adds or leaves out, each with the IANA name of its zone. */
function* timesIn(component: ICAL.Component, name: 'rdate' | 'exdate', zone: string | undefined) {
  for (const property of component.getAllProperties(name)) {
    const own = ownZoneOf(property, zone);
    for (const time of property.getValues()) if (time instanceof ICAL.Time) yield { time, own };
  }
}

const dayOf = (time: ICAL.Time): string => time.toString().slice(0, 'YYYY-MM-DD'.length);

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

/** The IANA name of the zone that a time of an event names. */
const zoneOf = (component: ICAL.Component, property: string): string | undefined =>
  zoneNamed(component.getFirstProperty(property)?.getFirstParameter('tzid'));

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
