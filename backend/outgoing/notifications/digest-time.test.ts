import { describe, expect, test } from 'vitest';
import { decideDigest, endOfDay, lastDigest } from './digest-time.ts';

const at = (text: string): number => Date.parse(text);
const HOUR = 60 * 60 * 1000;

describe('the digest that was due last', () => {
  test.each([
    ['08:00', 'Europe/Berlin', '2026-11-23T07:00:00Z', '2026-11-23', '2026-11-23T07:00:00Z'],
    ['08:00', 'Europe/Berlin', '2026-11-23T06:59:59Z', '2026-11-22', '2026-11-22T07:00:00Z'],
    ['23:50', 'Asia/Tokyo', '2026-11-23T15:30:00Z', '2026-11-23', '2026-11-23T14:50:00Z'],
    ['00:00', 'America/Los_Angeles', '2026-11-23T08:00:00Z', '2026-11-23', '2026-11-23T08:00:00Z'],
    // Clocks leave out 02:00 to 03:00: it is due when they do, and once.
    ['02:30', 'Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-28', '2026-03-28T01:30:00Z'],
    ['02:30', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', '2026-03-29T01:00:00Z'],
    ['02:30', 'America/New_York', '2026-03-08T07:00:00Z', '2026-03-08', '2026-03-08T07:00:00Z'],
    ['02:15', 'Australia/Lord_Howe', '2026-10-03T16:00:00Z', '2026-10-04', '2026-10-03T15:30:00Z'],
    // They show 02:00 to 03:00 twice: the first counts.
    ['02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25', '2026-10-25T00:30:00Z'],
    ['02:30', 'Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25', '2026-10-25T00:30:00Z'],
    // Midnight itself is left out.
    ['00:30', 'America/Santiago', '2026-09-06T05:00:00Z', '2026-09-06', '2026-09-06T04:00:00Z'],
  ])('at %s in %s, at %s, is of %s', (clock, timeZone, now, day, due) => {
    expect(lastDigest(clock, timeZone, at(now))).toEqual({ day, at: at(due) });
  });

  test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago'])(
    'comes once for each day of a year in %s, whatever the time',
    (timeZone) => {
      for (const clock of ['00:30', '02:30']) {
        const days = new Set<string>();
        let done: string | null = lastDigest(clock, timeZone, at('2026-01-01T12:00:00Z')).day;
        let sent = 0;
        for (let now = at('2026-01-01T12:00:00Z'); now < at('2027-01-01T12:00:00Z'); now += HOUR) {
          const due = lastDigest(clock, timeZone, now);
          if (decideDigest({ doneDay: done, from: null }, due, timeZone, now) !== 'send') continue;
          done = due.day;
          sent += 1;
          days.add(due.day);
        }
        expect([sent, days.size]).toEqual([365, 365]);
      }
    },
  );
});

describe('a digest', () => {
  const zone = 'Europe/Berlin';
  const due = lastDigest('08:00', zone, at('2026-11-23T07:10:00Z'));
  test.each([
    ['is sent when its day was not decided on', '2026-11-22', '2026-11-23T07:10:00Z', 'send'],
    ['is sent up to three hours late', '2026-11-22', '2026-11-23T10:00:00Z', 'send'],
    ['is left out later', '2026-11-22', '2026-11-23T10:00:01Z', 'skip'],
    ['comes once', '2026-11-23', '2026-11-23T07:10:00Z', 'done'],
    ['of a day that another time zone had already does not come again', '2026-11-24', '2026-11-23T07:10:00Z', 'done'],
    ['goes on after a clock that was far ahead', '2027-06-01', '2026-11-23T07:10:00Z', 'skip'],
    ['is sent to who never had one', null, '2026-11-23T07:10:00Z', 'send'],
  ])('%s', (_what, done, now, decision) => {
    expect(decideDigest({ doneDay: done, from: null }, due, zone, at(now))).toBe(decision);
  });

  test.each([
    ['is left out where it was due before its time was chosen', '2026-11-23T07:00:01Z', 'done'],
    ['is sent where its time was chosen before', '2026-11-23T07:00:00Z', 'send'],
    ['is sent where a clock was set back after the choice', '2026-11-23T07:10:01Z', 'send'],
  ])('%s', (_what, from, decision) => {
    const now = at('2026-11-23T07:10:00Z');
    expect(decideDigest({ doneDay: '2026-11-22', from: at(from) }, due, zone, now)).toBe(decision);
  });
});

test('a day ends at midnight where the member is, also when clocks change', () => {
  expect(endOfDay(at('2026-11-23T07:00:00Z'), 'Europe/Berlin')).toBe(at('2026-11-23T23:00:00Z'));
  expect(endOfDay(at('2026-10-25T00:00:00Z'), 'Europe/Berlin')).toBe(at('2026-10-25T23:00:00Z'));
});
