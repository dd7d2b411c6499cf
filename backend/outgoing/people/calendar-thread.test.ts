import { afterAll, expect, test, vi } from 'vitest';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { SlowCalendarError, createCalendarThread } from './calendar-thread.ts';
import { CalendarError } from './read-calendar.ts';

const HOUR_MS = 3_600_000;
const AT = Date.parse('2026-11-27T10:00:00Z');

const calendarOf = (...lines: string[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    'BEGIN:VEVENT',
    'UID:1@test',
    'DTSTAMP:20150101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\r\n');

const rule = (text: string): string =>
  calendarOf('DTSTART:20261127T000000Z', 'DTEND:20261127T001000Z', `RRULE:${text}`, 'SUMMARY:Nora');

const logger = createLogger('silent');
const thread = createCalendarThread(logger);
afterAll(() => thread.stop());

const startsOf = async (text: string, hours: number): Promise<string[]> =>
  (await thread.read(text, AT, AT + hours * HOUR_MS)).map(({ from }) => new Date(from).toISOString().slice(11, 16));

test('a rule by the hour that began years ago keeps its steps, its gaps and its exceptions', async () => {
  const everyThird = calendarOf(
    'DTSTART;TZID=Europe/Berlin:20150101T010000',
    'DTEND;TZID=Europe/Berlin:20150101T020000',
    'RRULE:FREQ=HOURLY;INTERVAL=3',
    'EXDATE;TZID=Europe/Berlin:20261127T160000',
    'SUMMARY:Nora',
  );
  // 1, 4, 7, 10, 13, 16 (left out) and 19 o'clock in Berlin, which is an hour ahead.
  expect(await startsOf(everyThird, 9)).toEqual(['12:00', '18:00']);
  const atNight = calendarOf(
    'DTSTART;TZID=Europe/Berlin:20150101T220000',
    'DTEND;TZID=Europe/Berlin:20150101T223000',
    'RRULE:FREQ=HOURLY;BYHOUR=22,23',
    'SUMMARY:Nora',
  );
  expect(await startsOf(atNight, 24)).toEqual(['21:00', '22:00']);
});

test('a rule by the minute, one that ended, and one that is counted are read; one by the second is left out', async () => {
  expect(await startsOf(rule('FREQ=MINUTELY;INTERVAL=20'), 1)).toEqual(['10:00', '10:20', '10:40']);
  expect(await startsOf(rule('FREQ=HOURLY;UNTIL=20261127T103000Z'), 3)).toEqual(['10:00']);
  expect(await startsOf(rule('FREQ=HOURLY;COUNT=12'), 3)).toEqual(['10:00', '11:00']);
  expect(await startsOf(rule('FREQ=SECONDLY'), 1)).toEqual([]);
});

test('a text that is no calendar, and one with too much in it, are said to be so', async () => {
  await expect(thread.read('BEGIN:VTODO\r\nEND:VTODO', AT, AT + HOUR_MS)).rejects.toThrow(CalendarError);
  const crowded = calendarOf('DTSTART:20261127T000000Z', 'DURATION:PT5H', 'RRULE:FREQ=MINUTELY', 'SUMMARY:Nora');
  await expect(thread.read(crowded, AT, AT + 20 * 24 * HOUR_MS)).rejects.toThrow('within a few days');
});

test('a calendar that takes too long is given up, and the next one is read', async () => {
  const impatient = createCalendarThread(logger, 1);
  const nobody = calendarOf('DTSTART:20261127T000000Z', 'DURATION:PT5H', 'SUMMARY:Nora');
  await expect(impatient.read(nobody, AT, AT + HOUR_MS)).rejects.toThrow(SlowCalendarError);
  await impatient.stop();
  await expect(impatient.read(nobody, AT, AT + HOUR_MS)).rejects.toThrow(SlowCalendarError);
  // The thread that was ended is started again.
  const patient = createCalendarThread(logger);
  const both = await Promise.all([1, 2].map(() => patient.read(nobody, AT, AT - 1 + HOUR_MS)));
  expect(both.map((spans) => spans.length)).toEqual([0, 0]);
  await patient.stop();
});

test('a thread that fails for another reason than memory is said and logged so', async () => {
  const error = vi.fn<(...said: unknown[]) => void>();
  const failing = createCalendarThread({ ...logger, error });
  // No number: what is thrown then has nothing to do with the calendar.
  const from = BigInt(AT) as unknown as number;
  await expect(failing.read(rule('FREQ=DAILY'), from, AT + HOUR_MS)).rejects.toThrow('It could not be read.');
  expect(error).toHaveBeenCalledOnce();
  await failing.stop();
});
