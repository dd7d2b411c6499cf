import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SEARCH_TEXTS, parseSearch, tokensOf, withoutParts, writePart, writeText } from './search.ts';
import { WEEKDAYS, readTime } from './search-times.ts';

const BERLIN = { now: Date.parse('2026-11-22T15:30:00Z'), timeZone: 'Europe/Berlin' };
const read = (search: string) => parseSearch(search, BERLIN);
const at = (text: string) => Date.parse(text);

describe('a search', () => {
  test('has words and phrases', () => {
    expect(read('disk  "almost full" db-7').texts).toEqual(['disk', 'almost full', 'db-7']);
  });

  test('finds tests, and says what else is not understood', () => {
    expect(read('is:Test is:test disk')).toMatchObject({ is: ['test'], texts: ['disk'], hints: [] });
    expect(read('is:open')).toMatchObject({ is: [], hints: [{ message: 'is: takes test, flapping or quiet.' }] });
  });

  test('names labels, of which one is enough', () => {
    expect(read('label:Databases Label:"On call" label:Databases')).toMatchObject({
      label: ['Databases', 'On call'],
      texts: [],
      hints: [],
    });
    expect(writePart('label', 'On call')).toBe('label:"On call"');
  });

  test('has keys, whatever their case, with values in quotes where they have blanks', () => {
    const { customer, type, status, severity, texts, hints } = read(
      'Customer:"Harbor & Finch" customer:Blue type:order.failed status:"in progress" severity:HIGH severity:high timeout',
    );
    expect({ customer, type, status, severity, texts, hints }).toEqual({
      customer: ['Harbor & Finch', 'Blue'],
      type: ['order.failed'],
      status: ['in-progress'],
      severity: ['high'],
      texts: ['timeout'],
      hints: [],
    });
  });

  test.each([
    'https://example.com',
    'db-9:9187',
    'error:',
    'error:"disk',
    ':',
    '::',
    'fromage:x',
    '12:30',
    'xcustomer:a',
  ])('takes %s as a word', (word) => {
    expect(read(word)).toMatchObject({ texts: [word], hints: [] });
  });

  test('takes an escaped quote as one, and an open one to the end', () => {
    expect(read(String.raw`"say \"hello\" \\o/"`).texts).toEqual([String.raw`say "hello" \o/`]);
    expect(read('disk "almost full').texts).toEqual(['disk', 'almost full']);
    expect(read('customer:"Harbor').customer).toEqual(['Harbor']);
  });

  test('leaves out what is not typed yet', () => {
    expect(read('type: "" customer:"" timeout')).toMatchObject({
      texts: ['timeout'],
      type: [],
      customer: [],
      hints: [],
    });
  });

  test.each([
    ['status:open', 'status: takes pending, accepted, in-progress or completed.'],
    ['severity:bad', 'severity: takes critical, high, warning, low, info or none.'],
    [
      'from:banana',
      'from: takes today, yesterday, thisweek, lastweek, thismonth, lastmonth, a weekday (monday or mon), 30m, 4h, 3d, 2w, 9:30, 2026-11-21 or 2026-11-21T09:30.',
    ],
    ['from:nextweek', 'from: takes today, yesterday, thisweek'],
    ['to:mo', 'to: takes today'],
    ['to:2026-02-30', 'to: takes today'],
    ['from:25:00', 'from: takes today'],
  ])('says what %s may be', (search, message) => {
    const { hints, texts } = read(`x ${search}`);
    expect(hints).toMatchObject([{ start: 2, end: 2 + search.length }]);
    expect(hints[0]?.message).toContain(message);
    expect(texts).toEqual(['x']);
  });

  test('looks for so many words', () => {
    const { texts, hints } = read(Array.from({ length: MAX_SEARCH_TEXTS + 2 }, (_, n) => `w${n}`).join(' '));
    expect([texts.length, hints.length]).toEqual([MAX_SEARCH_TEXTS, 2]);
  });

  test('any text is one: its parts are in order, cover everything but blanks, and are read the same again', () => {
    const piece = fc.constantFrom(
      'customer:',
      'from:',
      '"',
      '\\',
      ' ',
      'disk',
      ':',
      '2h',
      'é',
      '🔥',
      '\n',
      'Type:',
      'x',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (search) => {
          const tokens = tokensOf(search);
          const gaps = [0, ...tokens.map(({ end }) => end)].map((from, index) =>
            search.slice(from, tokens[index]?.start ?? search.length),
          );
          expect(gaps.join('').trim()).toBe('');
          expect(tokens.every(({ start, end }, index) => start < end && start >= (tokens[index - 1]?.end ?? 0))).toBe(
            true,
          );
          read(search);
        },
      ),
    );
  });

  test('every value is read back as it was written', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        expect(tokensOf(`a ${writePart('customer', value)} b`)).toMatchObject([
          { value: 'a' },
          { key: 'customer', value },
          { value: 'b' },
        ]);
      }),
    );
  });

  test.each([
    'disk',
    'type:disk',
    'a phrase',
    String.raw`C:\ `.trim(),
    String.raw`\\nas01\vol:full`,
    'say "status:502"',
  ])('%s is read back as the text that it is', (text) => {
    const [token, ...others] = tokensOf(writeText(text));
    expect([token?.key, token?.value, others]).toEqual([undefined, text, []]);
  });

  test('can lose parts', () => {
    const search = ' disk  type:x "a b" ';
    expect(withoutParts(search, tokensOf(search), ({ key }) => key === 'type')).toBe('disk "a b"');
  });
});

describe('times', () => {
  test.each([
    ['today', '2026-11-21T23:00Z', '2026-11-22T23:00Z'],
    ['yesterday', '2026-11-20T23:00Z', '2026-11-21T23:00Z'],
    // It is a Sunday.
    ['thisweek', '2026-11-15T23:00Z', '2026-11-22T23:00Z'],
    ['lastweek', '2026-11-08T23:00Z', '2026-11-15T23:00Z'],
    ['Last week', '2026-11-08T23:00Z', '2026-11-15T23:00Z'],
    ['last-week', '2026-11-08T23:00Z', '2026-11-15T23:00Z'],
    // Clocks were set back on October 25.
    ['thismonth', '2026-10-31T23:00Z', '2026-11-30T23:00Z'],
    ['lastmonth', '2026-09-30T22:00Z', '2026-10-31T23:00Z'],
    ['monday', '2026-11-15T23:00Z', '2026-11-16T23:00Z'],
    ['Thurs', '2026-11-18T23:00Z', '2026-11-19T23:00Z'],
    ['sat', '2026-11-20T23:00Z', '2026-11-21T23:00Z'],
    ['sunday', '2026-11-21T23:00Z', '2026-11-22T23:00Z'],
    ['2h', '2026-11-22T13:30Z', '2026-11-22T13:30Z'],
    ['3d', '2026-11-19T15:30Z', '2026-11-19T15:30Z'],
    ['2w', '2026-11-08T15:30Z', '2026-11-08T15:30Z'],
    ['30m', '2026-11-22T15:00Z', '2026-11-22T15:00Z'],
    ['1w', '2026-11-15T15:30Z', '2026-11-15T15:30Z'],
    ['9:30', '2026-11-22T08:30Z', '2026-11-22T08:30Z'],
    ['2026-07-01', '2026-06-30T22:00Z', '2026-07-01T22:00Z'],
    ['2026-7-1T09:30', '2026-07-01T07:30Z', '2026-07-01T07:30Z'],
    ['2026-07-01T09:30:15Z', '2026-07-01T09:30:15Z', '2026-07-01T09:30:15Z'],
    ['2026-07-01T09:30-03:30', '2026-07-01T13:00Z', '2026-07-01T13:00Z'],
  ])('%s', (text, start, end) => {
    expect(readTime(text, BERLIN)).toEqual({ start: at(start), end: at(end) });
  });

  test.each(['mo', 'nextweek', 'last', 'week', 'day', 'mondays', 'thatmonth', '3', '3x', '-1', '2026-13-01', ''])(
    '%s is none',
    (text) => expect(readTime(text, BERLIN)).toBeUndefined(),
  );

  // Where it is what day at one moment, and when words therefore begin and end.
  test.each([
    // Monday noon in Kiritimati, Sunday noon in Pago Pago.
    ['Pacific/Kiritimati', '2026-11-22T22:00Z', 'thisweek', '2026-11-22T10:00Z', '2026-11-29T10:00Z'],
    ['Pacific/Kiritimati', '2026-11-22T22:00Z', 'sun', '2026-11-21T10:00Z', '2026-11-22T10:00Z'],
    ['Pacific/Pago_Pago', '2026-11-22T22:00Z', 'thisweek', '2026-11-16T11:00Z', '2026-11-23T11:00Z'],
    ['Pacific/Pago_Pago', '2026-11-22T22:00Z', 'sun', '2026-11-22T11:00Z', '2026-11-23T11:00Z'],
    // The last second of a year, and the first of the next one.
    ['Europe/Berlin', '2026-12-31T22:59:59Z', 'thismonth', '2026-11-30T23:00Z', '2026-12-31T23:00Z'],
    ['Europe/Berlin', '2026-12-31T23:00:00Z', 'thismonth', '2026-12-31T23:00Z', '2027-01-31T23:00Z'],
    ['Europe/Berlin', '2026-12-31T23:00:00Z', 'lastmonth', '2026-11-30T23:00Z', '2026-12-31T23:00Z'],
    // February of a leap year, seen from the 31st of March.
    ['UTC', '2028-03-31T12:00Z', 'lastmonth', '2028-02-01T00:00Z', '2028-03-01T00:00Z'],
    // Weeks with an hour less and one more.
    ['America/New_York', '2026-03-09T12:00Z', 'lastweek', '2026-03-02T05:00Z', '2026-03-09T04:00Z'],
    ['America/New_York', '2026-11-02T12:00Z', 'lastweek', '2026-10-26T04:00Z', '2026-11-02T05:00Z'],
    // An hour after midnight on the day that begins at one, because clocks leave midnight out.
    ['Africa/Cairo', '2026-04-23T22:30Z', 'today', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['Africa/Cairo', '2026-04-23T22:30Z', 'fri', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    // Hours that are counted, not read from clocks, which were set forward between.
    ['Europe/Berlin', '2026-03-29T10:00Z', '1d', '2026-03-28T10:00Z', '2026-03-28T10:00Z'],
  ])('in %s at %s, %s', (timeZone, now, text, start, end) => {
    expect(readTime(text, { now: at(now), timeZone })).toEqual({ start: at(start), end: at(end) });
  });

  test('weeks, months and weekdays hold or precede now, and follow each other without a gap, at any moment', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Africa/Cairo', 'Asia/Beirut', 'America/Santiago');
    const moments = fc.integer({ min: at('2020-01-01T00:00Z'), max: at('2030-01-01T00:00Z') });
    fc.assert(
      fc.property(zones, moments, fc.constantFrom(...WEEKDAYS), (timeZone, now, weekday) => {
        const named = (text: string) => readTime(text, { now, timeZone }) ?? { start: NaN, end: NaN };
        const [week, month, today, last] = ['thisweek', 'thismonth', 'today', weekday].map(named);
        expect(week?.start).toBeLessThanOrEqual(now);
        expect(week?.end).toBeGreaterThan(now);
        expect(month?.start).toBeLessThanOrEqual(now);
        expect(month?.end).toBeGreaterThan(now);
        expect(named('lastweek').end).toBe(week?.start);
        expect(named('lastmonth').end).toBe(month?.start);
        expect(last?.start).toBeLessThanOrEqual(today?.start ?? 0);
        expect(last?.end).toBeGreaterThan((today?.end ?? 0) - 7.1 * 24 * 3_600_000);
        expect(named('monday').start).toBe(week?.start);
      }),
    );
  });

  test('"to" takes a whole day in, "from" begins with it', () => {
    expect(read('from:yesterday to:yesterday')).toMatchObject({
      from: at('2026-11-20T23:00Z'),
      to: at('2026-11-21T23:00Z'),
    });
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Africa/Cairo', '2026-04-24', 23],
    ['America/Havana', '2026-11-01', 25],
    ['Asia/Kathmandu', '2026-11-01', 24],
  ])('days of %s on which clocks change: %s', (timeZone, date, hours) => {
    const day = readTime(date, { now: 0, timeZone });
    expect((Number(day?.end) - Number(day?.start)) / 3_600_000).toBe(hours);
  });

  test('days follow each other without a gap, everywhere', () => {
    const zones = fc.constantFrom(
      'UTC',
      'America/New_York',
      'Africa/Cairo',
      'Asia/Beirut',
      'Pacific/Apia',
      'America/Santiago',
    );
    fc.assert(
      fc.property(zones, fc.integer({ min: 0, max: 365 * 10 }), (timeZone, days) => {
        const date = (offset: number) => new Date(Date.UTC(2020, 0, 1 + days + offset)).toISOString().slice(0, 10);
        const clock = { now: 0, timeZone };
        expect(readTime(date(0), clock)?.end).toBe(readTime(date(1), clock)?.start);
      }),
    );
  });
});
