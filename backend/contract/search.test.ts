import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_SEARCH_TEXTS, parseSearch, tokensOf, withoutParts, writePart } from './search.ts';
import { readTime } from './search-times.ts';

const BERLIN = { now: Date.parse('2026-11-22T15:30:00Z'), timeZone: 'Europe/Berlin' };
const read = (search: string) => parseSearch(search, BERLIN);
const at = (text: string) => Date.parse(text);

describe('a search', () => {
  test('has words and phrases', () => {
    expect(read('disk  "almost full" db-7').texts).toEqual(['disk', 'almost full', 'db-7']);
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
    ['from:banana', 'from: takes a time such as today'],
    ['to:2026-02-30', 'to: takes a time such as today'],
    ['from:25:00', 'from: takes a time'],
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

  test('can lose parts', () => {
    const search = ' disk  type:x "a b" ';
    expect(withoutParts(search, tokensOf(search), ({ key }) => key === 'type')).toBe('disk "a b"');
  });
});

describe('times', () => {
  test.each([
    ['today', '2026-11-21T23:00Z', '2026-11-22T23:00Z'],
    ['yesterday', '2026-11-20T23:00Z', '2026-11-21T23:00Z'],
    ['2h', '2026-11-22T13:30Z', '2026-11-22T13:30Z'],
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
