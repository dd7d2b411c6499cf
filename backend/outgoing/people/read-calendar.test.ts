import { expect, test } from 'vitest';
import { spansBetween } from './read-calendar.ts';

const HOUR = 3_600_000;

/** The rules of Berlin, as calendars bring them along. */
const BERLIN = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'BEGIN:DAYLIGHT',
  'DTSTART:19700329T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'DTSTART:19701025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** What a calendar with one event says between two days. */
function shifts(event: readonly string[], from: string, to: string, zone: readonly string[] = []) {
  const lines = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...zone, 'BEGIN:VEVENT', 'UID:0@test'];
  const text = lines.concat('DTSTAMP:20260101T000000Z', event, 'END:VEVENT', 'END:VCALENDAR').join('\r\n');
  return spansBetween(text, Date.parse(from), Date.parse(to)).map((one) => ({
    from: new Date(one.from).toISOString(),
    to: new Date(one.to).toISOString(),
    hours: (one.to - one.from) / HOUR,
  }));
}

test.each([
  ['20260323T090000', '20260330T090000', '2026-04-14', '2026-04-13T07:00:00.000Z', '2026-04-20T07:00:00.000Z'],
  ['20261019T090000', '20261026T090000', '2026-11-10', '2026-11-09T08:00:00.000Z', '2026-11-16T08:00:00.000Z'],
])(
  'shifts whose first one, from %s to %s, lasts while clocks are set all end at the hour that it ends at',
  (start, end, day, from, to) => {
    const event = [
      `DTSTART;TZID=Europe/Berlin:${start}`,
      `DTEND;TZID=Europe/Berlin:${end}`,
      'RRULE:FREQ=WEEKLY;INTERVAL=3',
    ];
    const next = new Date(Date.parse(day) + 24 * HOUR).toISOString();
    for (const zone of [BERLIN, []]) expect(shifts(event, day, next, zone)).toEqual([{ from, to, hours: 168 }]);
  },
);

test.each([
  ['as they bring it along', BERLIN],
  ['by its name', []],
])('a nightly shift whose end is in UTC and whose start is in a zone, %s, is as long as its first one', (_, zone) => {
  const event = ['DTSTART;TZID=Europe/Berlin:20261102T200000', 'DTEND:20261103T050000Z', 'RRULE:FREQ=DAILY'];
  expect(shifts(event, '2026-11-05T12:00:00Z', '2026-11-06T12:00:00Z', zone)).toEqual([
    { from: '2026-11-05T19:00:00.000Z', to: '2026-11-06T05:00:00.000Z', hours: 10 },
  ]);
});

test.each([
  ['as they bring it along', BERLIN],
  ['by its name', []],
])('each shift that is left out is, whatever its zone, %s, and whatever else is left out', (_, zone) => {
  const event = [
    'DTSTART;TZID=Europe/Berlin:20261102T080000',
    'DURATION:PT1H',
    'RRULE:FREQ=DAILY;COUNT=7',
    // No shift begins then.
    'EXDATE;TZID=Europe/Berlin:20261102T093000,20261103T080000',
    'EXDATE:20261105T070000Z',
    'EXDATE;VALUE=DATE:20261106',
    'EXDATE;TZID=America/New_York:20261107T020000',
  ];
  expect(shifts(event, '2026-11-01', '2026-11-20', zone).map(({ from }) => from.slice(0, 10))).toEqual([
    '2026-11-02',
    '2026-11-04',
    '2026-11-08',
  ]);
});

test('whole days that are left out are, also where they are written as times', () => {
  const event = [
    'DTSTART;VALUE=DATE:20261102',
    'RRULE:FREQ=DAILY;COUNT=4',
    'EXDATE;VALUE=DATE:20261103',
    'EXDATE:20261104T000000Z',
  ];
  expect(shifts(event, '2026-11-01', '2026-11-20').map(({ from }) => from.slice(0, 10))).toEqual([
    '2026-11-02',
    '2026-11-05',
  ]);
});

test.each([
  ['as they bring it along', BERLIN],
  ['by its name', []],
])('the last shift is the last one that begins by the end of its rule, in a zone, %s', (_, zone) => {
  const lastOf = (start: string, until: string): string | undefined => {
    const event = [`DTSTART;TZID=Europe/Berlin:${start}`, 'DURATION:PT1H', `RRULE:FREQ=DAILY;UNTIL=${until}`];
    return shifts(event, '2026-11-01', '2026-11-20', zone).at(-1)?.from;
  };
  expect(lastOf('20261102T200000', '20261110T190000Z')).toBe('2026-11-10T19:00:00.000Z');
  expect(lastOf('20261102T200000', '20261110T185959Z')).toBe('2026-11-09T19:00:00.000Z');
  expect(lastOf('20261102T003000', '20261110T225959Z')).toBe('2026-11-09T23:30:00.000Z');
  expect(lastOf('20261102T200000', '20261110T200000')).toBe('2026-11-10T19:00:00.000Z');
  expect(lastOf('20261102T200000', '20261110')).toBe('2026-11-10T19:00:00.000Z');
});

test('west of UTC no shift begins after the end of its rule, but for one that is added', () => {
  const event = [
    'DTSTART;TZID=America/New_York:20261102T003000',
    'DURATION:PT1H',
    // The evening of the tenth.
    'RRULE:FREQ=DAILY;UNTIL=20261111T045959Z',
    'RDATE;TZID=America/New_York:20261114T003000',
  ];
  expect(shifts(event, '2026-11-09T12:00:00Z', '2026-11-20').map(({ from }) => from.slice(0, 10))).toEqual([
    '2026-11-10',
    '2026-11-14',
  ]);
});

test.each([
  ['as they bring it along', BERLIN],
  ['by its name', []],
])('shifts that are added with an end of their own last until then, in a zone, %s', (_, zone) => {
  const event = [
    'DTSTART;TZID=Europe/Berlin:20261102T200000',
    'DTEND;TZID=Europe/Berlin:20261103T080000',
    'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261104T200000/20261104T220000,20261105T200000/PT3H',
  ];
  const all = shifts(event, '2026-11-01', '2026-11-20', zone);
  expect(new Map(all.map(({ from, hours }) => [from, hours]))).toEqual(
    new Map([
      ['2026-11-02T19:00:00.000Z', 12],
      ['2026-11-04T19:00:00.000Z', 2],
      ['2026-11-05T19:00:00.000Z', 3],
    ]),
  );
});

test('an event that says nothing of when it is leaves the others as they are', () => {
  const event = [
    'SUMMARY:Some day',
    'END:VEVENT',
    'BEGIN:VEVENT',
    'UID:1@test',
    'DTSTART:20261102T080000Z',
    'DURATION:PT1H',
  ];
  expect(shifts(event, '2026-11-01', '2026-11-20').map(({ from }) => from)).toEqual(['2026-11-02T08:00:00.000Z']);
});
