import { expect, test } from 'vitest';
import { type NamedMember, membersNamed, onBetween } from './on-now.ts';
import { spansBetween } from './read-calendar.ts';

const member = (id: string, displayName: string, isActive = true): NamedMember => ({
  id,
  displayName,
  email: `${id}@example.com`,
  isActive,
});
const ANN = member('ann', 'Ann Ashby');
const NORA = member('nora', 'Nora Night');
const MEMBERS = [ANN, NORA, member('gone', 'Gone', false)];
const HOUR = 3_600_000;

const calendar = (...events: string[][]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//EN',
    ...events.flatMap((lines, at) =>
      ['BEGIN:VEVENT', `UID:${at}@test`, 'DTSTAMP:20260101T000000Z'].concat(lines, 'END:VEVENT'),
    ),
    'END:VCALENDAR',
  ].join('\r\n');

/** One repetition of an event that was moved to another day. */
const moved = (uid: number, original: string, day: string, name: string): string =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}@test`,
    `RECURRENCE-ID${original}`,
    `DTSTART:${day}T200000Z`,
    `DTEND:${day}T220000Z`,
    `SUMMARY:${name}`,
    'END:VEVENT',
    '',
  ].join('\r\n');

const NIGHTS = [
  'DTSTART;TZID=Europe/Berlin:20260301T200000',
  'DTEND;TZID=Europe/Berlin:20260302T060000',
  'RRULE:FREQ=DAILY',
  'SUMMARY:Night shift',
  'ATTENDEE;CN=Nora Night:mailto:Nora@example.com',
];

const iso = (at: number): string => new Date(at).toISOString();

const nightsBetween = (from: string, to: string) =>
  spansBetween(calendar(NIGHTS), Date.parse(from), Date.parse(to)).map((one) => ({
    from: iso(one.from),
    hours: (one.to - one.from) / HOUR,
  }));

const named = (emails: string[], ...texts: string[]) => membersNamed({ emails, texts }, MEMBERS);

test('a nightly shift has its real length when clocks are put forward and back', () => {
  expect(nightsBetween('2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
    { from: '2026-03-28T19:00:00.000Z', hours: 9 },
  ]);
  expect(nightsBetween('2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toEqual([
    { from: '2026-10-24T18:00:00.000Z', hours: 11 },
  ]);
  expect(nightsBetween('2026-10-26T12:00:00Z', '2026-10-27T12:00:00Z')).toEqual([
    { from: '2026-10-26T19:00:00.000Z', hours: 10 },
  ]);
});

test('times are read in UTC, in the zone of the calendar, by a VTIMEZONE of the file, and as whole days', () => {
  const own = [
    'BEGIN:VTIMEZONE',
    'TZID:Our office',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0300',
    'TZOFFSETTO:+0300',
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n');
  const text = calendar(
    ['DTSTART:20261124T080000Z', 'DTEND:20261124T090000Z', 'SUMMARY:a'],
    ['DTSTART;TZID=Our office:20261124T080000', 'DURATION:PT1H', 'SUMMARY:b'],
    ['DTSTART:20261124T080000', 'DTEND:20261124T090000', 'SUMMARY:c'],
    ['DTSTART;VALUE=DATE:20261124', 'SUMMARY:d'],
  ).replace('PRODID', `X-WR-TIMEZONE:America/New_York\r\n${own}\r\nPRODID`);
  const spans = spansBetween(text, Date.parse('2026-11-23T00:00:00Z'), Date.parse('2026-11-27T00:00:00Z'));
  expect(spans.map(({ from, to, names }) => `${names.texts.join()} ${iso(from)} ${(to - from) / HOUR}`)).toEqual([
    'a 2026-11-24T08:00:00.000Z 1',
    'b 2026-11-24T05:00:00.000Z 1',
    'c 2026-11-24T13:00:00.000Z 1',
    'd 2026-11-24T05:00:00.000Z 24',
  ]);
});

test('a shift that is moved is that of its own event, also where another one begins at the same time', () => {
  const weekly = ['DTSTART:20261102T080000Z', 'DTEND:20261102T160000Z', 'RRULE:FREQ=WEEKLY;COUNT=2'];
  const movedShift = ['BEGIN:VEVENT', 'UID:1@test', 'RECURRENCE-ID:20261109T080000Z', 'DTSTART:20261110T080000Z'];
  const text = calendar([...weekly, 'SUMMARY:Ann Ashby'], [...weekly, 'SUMMARY:Nora Night']).replace(
    'END:VCALENDAR',
    [...movedShift, 'DTEND:20261110T160000Z', 'SUMMARY:Nora Night', 'END:VEVENT', 'END:VCALENDAR'].join('\r\n'),
  );
  const spans = spansBetween(text, Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-12-01T00:00:00Z'));
  expect(spans.map(({ from, names }) => `${iso(from).slice(0, 10)} ${names.texts.join()}`)).toEqual([
    '2026-11-02 Ann Ashby',
    '2026-11-09 Ann Ashby',
    '2026-11-02 Nora Night',
    '2026-11-10 Nora Night',
  ]);
});

test('shifts that are swapped over weeks, or without their series, are at the times that they were moved to', () => {
  const seldom = 'RRULE:FREQ=WEEKLY;INTERVAL=8';
  const text = calendar(
    ['DTSTART:20261102T200000Z', 'DTEND:20261102T220000Z', seldom, 'SUMMARY:Ann Ashby'],
    ['DTSTART:20261130T200000Z', 'DTEND:20261130T220000Z', seldom, 'SUMMARY:Nora Night'],
    ['DTSTART:20261001T010000Z', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY;INTERVAL=24', 'SUMMARY:Ben Berg'],
  ).replace(
    'END:VCALENDAR',
    [
      moved(0, ':20261102T200000Z', '20261130', 'Ann Ashby'),
      // The same moment, said by another clock.
      moved(1, ';TZID=Europe/Berlin:20261130T210000', '20261102', 'Nora Night'),
      moved(2, ':20261031T010000Z', '20261104', 'Ben Berg'),
      moved(9, ':20261214T200000Z', '20261103', 'One date'),
      'END:VCALENDAR',
    ].join(''),
  );
  const between = (from: string, to: string) =>
    spansBetween(text, Date.parse(from), Date.parse(to))
      .map(({ from: start, names }) => `${iso(start).slice(0, 13)} ${names.texts.join()}`)
      .toSorted();
  expect(between('2026-11-02T18:00:00Z', '2026-11-04T21:00:00Z')).toEqual([
    '2026-11-02T20 Nora Night',
    '2026-11-03T01 Ben Berg',
    '2026-11-03T20 One date',
    '2026-11-04T01 Ben Berg',
    '2026-11-04T20 Ben Berg',
  ]);
  expect(between('2026-11-30T18:00:00Z', '2026-11-30T23:00:00Z')).toEqual(['2026-11-30T20 Ann Ashby']);
});

test('repetitions that were left out, moved or cancelled are read so, and rules by the second are not counted through', () => {
  const weekly = [
    'DTSTART:20261102T080000Z',
    'DTEND:20261102T160000Z',
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'SUMMARY:Ann Ashby',
  ];
  const text = calendar(
    [...weekly, 'EXDATE:20261109T080000Z'],
    ['DTSTART:20261101T000000Z', 'DTEND:20261130T000000Z', 'STATUS:CANCELLED', 'SUMMARY:off'],
    ['DTSTART:20261101T000000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY', 'SUMMARY:for ever'],
  ).replace(
    'END:VCALENDAR',
    [
      'BEGIN:VEVENT',
      'UID:0@test',
      'RECURRENCE-ID:20261116T080000Z',
      'DTSTART:20261117T080000Z',
      'DTEND:20261117T160000Z',
      'SUMMARY:Nora Night',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  );
  const spans = spansBetween(text, Date.parse('2026-11-01T00:00:00Z'), Date.parse('2026-12-01T00:00:00Z'));
  expect(spans.map(({ from, names }) => `${iso(from).slice(0, 10)} ${names.texts.join()}`)).toEqual([
    '2026-11-02 Ann Ashby',
    '2026-11-23 Ann Ashby',
    '2026-11-17 Nora Night',
  ]);
  expect(() => spansBetween('<html>Sign in</html>', 0, 1)).toThrow('It is no calendar');
});

test('an event names members by email, by name or in its summary, and never by a part of a longer word', () => {
  expect(named(['ann@example.com'], 'Nora Night')).toEqual(['ann']);
  expect(named(['other@example.com'], 'nora night')).toEqual(['nora']);
  expect(named([], 'Primary: Ann Ashby, then Nora Night')).toEqual(['ann', 'nora']);
  expect(named([], 'on call: nora@example.com')).toEqual(['nora']);
  expect(named([], 'Joann Ashbyson')).toEqual([]);
});

test('a name counts also where a longer one that has it comes first, and an email never within a longer one', () => {
  expect(named([], 'Joann Ashby, Ann Ashby')).toEqual(['ann']);
  expect(named([], 'on call: joann@example.com')).toEqual([]);
  expect(named([], 'on call: nora+ann@example.com')).toEqual([]);
  expect(named([], 'on call: ann@example.community')).toEqual([]);
  expect(named([], 'on call: ann@example.com.au')).toEqual([]);
  expect(named([], 'joann@example.com, then <ann@example.com>.')).toEqual(['ann']);
});

test('overrides count in the place of the calendar, gaps are nobody’s, and names of nobody are listed', () => {
  const day = Date.parse('2026-11-24T00:00:00Z');
  const spans = [
    { from: day, to: day + 8 * HOUR, names: { emails: ['nora@example.com'], texts: [] } },
    { from: day + 8 * HOUR, to: day + 12 * HOUR, names: { emails: [], texts: ['Somebody else'] } },
    { from: day + 12 * HOUR, to: day + 24 * HOUR, names: { emails: ['gone@example.com'], texts: [] } },
  ];
  const override = { memberId: 'ann', from: iso(day + 2 * HOUR), to: iso(day + 4 * HOUR) };
  const { spans: on, unknown } = onBetween(spans, [override], MEMBERS, day + HOUR, day + 14 * HOUR);
  expect(on.map((one) => `${(one.from - day) / HOUR}–${(one.to - day) / HOUR} ${one.memberIds.join()}`)).toEqual([
    '1–2 nora',
    '2–4 ann',
    '4–8 nora',
    '8–14 ',
  ]);
  expect(unknown).toEqual(['Somebody else']);
});

test('names of nobody are those of the time that is asked for', () => {
  const day = Date.parse('2026-11-24T00:00:00Z');
  const shift = (fromHour: number, toHour: number, name: string) => ({
    from: day + fromHour * HOUR,
    to: day + toHour * HOUR,
    names: { emails: [], texts: [name] },
  });
  const spans = [shift(-8, 0, 'Before'), shift(0, 8, 'In it'), shift(8, 16, 'After')];
  expect(onBetween(spans, [], MEMBERS, day, day + 8 * HOUR).unknown).toEqual(['In it']);
});

test('an override of somebody whose account is disabled leaves the calendar as it is', () => {
  const day = Date.parse('2026-11-24T00:00:00Z');
  const shift = { from: day, to: day + 8 * HOUR, names: { emails: ['nora@example.com'], texts: [] } };
  const override = { memberId: 'gone', from: iso(day + 2 * HOUR), to: iso(day + 4 * HOUR) };
  const { spans } = onBetween([shift], [override], MEMBERS, day, day + 8 * HOUR);
  expect(spans).toEqual([{ from: day, to: day + 8 * HOUR, memberIds: ['nora'], isOverride: false }]);
});
