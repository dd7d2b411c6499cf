import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { Session } from '#backend/contract/session.ts';
import { setClock } from './clock.ts';
import { shownAt, typedMoment, writeIn } from './times-in-zone.ts';

test.each([
  ['2026-11-21T22:00:00Z', 'UTC', 'Nov 21, 10:00 PM'],
  ['2026-11-21T22:00:00Z', 'Asia/Kolkata', 'Nov 22, 3:30 AM'],
  ['2026-07-01T22:00:00Z', 'Europe/Berlin', 'Jul 2, 12:00 AM'],
])('%s in %s reads %s, whatever the time zone of the reader', (moment, timeZone, text) => {
  expect(writeIn(Date.parse(moment), timeZone, 'MMM d, h:mm a')).toBe(text);
});

afterEach(() => vi.unstubAllEnvs());

test('a time that the clocks of the reader leave out reads as in its own zone', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(writeIn(Date.parse('2026-03-29T02:30:00Z'), 'UTC', 'EEEE, MMM d, h:mm a')).toBe('Sunday, Mar 29, 2:30 AM');
});

test('a moment is a day and a time on clocks of a time zone', () => {
  expect(shownAt(Date.parse('2026-11-21T23:59:30Z'), 'America/New_York')).toEqual({
    date: '2026-11-21',
    time: '18:59',
  });
});

describe('what is typed into a field for date and time', () => {
  const member: Session = { id: '1', email: 'anna@example.org', displayName: 'Anna', role: 'user' };
  afterEach(() => setClock(member));

  it.each([
    // Clocks leave out 02:00 to 03:00: the moment at which they do.
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T02:30', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2026-03-07T20:00:00Z', '2026-03-08T02:30', '2026-03-08T07:00:00Z'],
    ['America/Santiago', '2026-09-05T20:00:00Z', '2026-09-06T00:30', '2026-09-06T04:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T10:00:00Z', '2026-10-04T02:15', '2026-10-03T15:30:00Z'],
    // They show an hour twice: the first, or the second when the first has passed.
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T02:30', '2026-10-25T00:30:00Z'],
    ['Europe/Berlin', '2026-10-25T00:40:00Z', '2026-10-25T02:30', '2026-10-25T01:30:00Z'],
    ['America/New_York', '2026-10-31T20:00:00Z', '2026-11-01T01:30', '2026-11-01T05:30:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T10:00:00Z', '2026-04-05T01:45', '2026-04-04T14:45:00Z'],
    // Beside the change.
    ['Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T03:00', '2026-03-29T01:00:00Z'],
    ['Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T03:00', '2026-10-25T02:00:00Z'],
  ])('in %s, at %s, the field %s means %s', async (timeZone, now, value, moment) => {
    await setClock({ ...member, timeZone });
    expect(typedMoment(value, new Date(now))).toEqual(new Date(moment));
  });

  it('an empty field is no moment', () => {
    expect(typedMoment('', new Date('2026-03-28T20:00:00Z')).getTime()).toBeNaN();
  });
});
