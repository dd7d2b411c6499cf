import { describe, expect, it } from 'vitest';
import { ExactNumber } from '#renderer/lib/parse-json.ts';
import { formatValue } from './format-value.ts';

const now = new Date(2026, 10, 21, 9, 42);
const format = (value: unknown, key = 'value') => formatValue(key, value, now);
const localTime = new Date(2026, 10, 27, 8, 0);

describe('formatValue', () => {
  it('shows plain values as they came, long numbers to the last digit', () => {
    expect(format('HF-204918')).toEqual({ kind: 'text', line: 'HF-204918', full: 'HF-204918' });
    expect(format(94.2)).toMatchObject({ kind: 'text', line: '94.2' });
    expect(format(false)).toMatchObject({ kind: 'text', line: 'false' });
    expect(format(new ExactNumber('10000000000000000001'))).toMatchObject({
      kind: 'text',
      line: '10000000000000000001',
    });
  });

  it('puts a text on one line and keeps its lines for the dialog', () => {
    expect(format('first\n  second')).toEqual({ kind: 'text', line: 'first second', full: 'first\n  second' });
  });

  it('shows moments as moments', () => {
    expect(format(localTime.toISOString())).toMatchObject({ kind: 'time', line: 'Nov 27, 8:00 AM' });
    expect(format('2019-08-19T20:58:37.391000Z')).toMatchObject({
      kind: 'time',
      line: expect.stringContaining('2019'),
      dateTime: '2019-08-19T20:58:37.391Z',
    });
    expect(format(localTime.getTime() / 1000, 'created')).toMatchObject({ kind: 'time', line: 'Nov 27, 8:00 AM' });
    expect(format(String(localTime.getTime()), 'last_updated')).toMatchObject({
      kind: 'time',
      line: 'Nov 27, 8:00 AM',
    });
  });

  it.each(['2026-11-27 07:00:00,5 +0200', '2026-11-27T05:00:00.500Z', '2026-11-27T07:00:00.5+02:00'])(
    'reads %s',
    (text) => expect(format(text)).toMatchObject({ kind: 'time', dateTime: '2026-11-27T05:00:00.500Z' }),
  );

  it.each([
    ['a day that is not', '2026-02-30T00:00:00Z', 'time'],
    ['a number that is not named as a moment', 1480671978, 'amount'],
    ['a time without a zone', '2023-07-31 18:56:15.374', 'time'],
    ['Go’s zero time', '0001-01-01T00:00:00Z', 'endsAt'],
    ['an impossible date', '2026-02-31T99:00:00Z', 'time'],
  ])('leaves %s alone', (_what, value, key) => {
    expect(format(value, key)).toMatchObject({ kind: 'text', line: String(value) });
  });

  it('makes links of http and https addresses only, and shows them without the scheme', () => {
    expect(format('https://portal.kestrelhealth.example/login')).toEqual({
      kind: 'link',
      line: 'portal.kestrelhealth.example/login',
      full: 'portal.kestrelhealth.example/login',
      href: 'https://portal.kestrelhealth.example/login',
    });
    expect(format('http://ops1:9093/')).toMatchObject({ kind: 'link', line: 'ops1:9093' });
    for (const inert of ['javascript:alert(1)', 'data:text/html,<b>', 'see https://a.example now', 'https://'])
      expect(format(inert).kind).toBe('text');
  });

  it('knows hosts, which keep their end', () => {
    expect(format('nw-db-03.eu-central.nordwind.example:9100').kind).toBe('host');
    expect(format('1.50').kind).toBe('text');
  });

  it('says when there is nothing', () => {
    expect([null, ' ', [], {}].map((value) => format(value))).toEqual(
      ['null', 'empty', '[]', '{}'].map((word) => ({ kind: 'empty', line: word, full: word })),
    );
  });

  it('shows an object as one line and as formatted JSON with every digit', () => {
    expect(format({ title: 'Disk full', free: new ExactNumber('12345678901234567890') })).toEqual({
      kind: 'json',
      line: 'Disk full',
      full: '{\n  "title": "Disk full",\n  "free": 12345678901234567890\n}',
    });
  });
});
