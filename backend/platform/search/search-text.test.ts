import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSearchTables } from './search-files.ts';
import { gramsQuery, isLongEnough, searchTextOf, spellingsOf, withoutRepeatedGrams } from './search-text.ts';

const asStored = (payload: string) => searchTextOf({ title: null, customer: null, url: '/webhook', payload });
const finds = (text: string, payload: string) =>
  spellingsOf(text).some((spelling) => asStored(payload).includes(spelling));

describe('a text is found however its sender wrote it', () => {
  test.each([
    ['plain', 'payment', '{"text":"Payment failed"}'],
    ['whatever its case, in every script', 'ÖLKRUG Δ', '{"text":"ölkrug δ"}'],
    ['as JSON escapes it', 'Müller', String.raw`{"name":"M\u00fcller"}`],
    ['as JSON escapes it, in capitals', 'müller', String.raw`{"name":"M\u00DCLLER"}`],
    ['beyond the basic plane', '🔥', String.raw`{"text":"\ud83d\udd25"}`],
    ['with escaped slashes', 'https://example.com/a', String.raw`{"link":"https:\/\/example.com\/a"}`],
    ['with quotes', 'say "hello"', String.raw`{"text":"say \"hello\""}`],
  ])('%s', (_, text, payload) => {
    expect(finds(text, payload)).toBe(true);
  });

  test('in the title, the customer and the address, which are not repeated where the payload has them', () => {
    const payload = '{"text":"Payment failed","for":"ACME"}';
    const stored = { title: 'Payment failed', customer: 'ACME', url: '/webhook', payload };
    expect(searchTextOf(stored)).toBe('/webhook\n{"text":"payment failed","for":"acme"}');
    const others = { ...stored, title: 'Payment Failed', customer: 'Acme' };
    for (const text of ['payment failed', 'acme', '/webhook']) expect(searchTextOf(others)).toContain(text);
    expect(searchTextOf({ ...stored, title: null, customer: 'Nordwind' })).toContain('nordwind');
  });

  test('and what is not there is not', () => {
    expect(finds('Muller', '{"name":"Müller"}')).toBe(false);
    expect(finds('%', '{"name":"Müller"}')).toBe(false);
  });
});

const found = (text: string, payloads: string[]): number[] => {
  const index = new BetterSqlite3(':memory:');
  createSearchTables(index);
  const add = index.prepare('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  for (const [number, payload] of payloads.entries()) add.run(number, asStored(payload));
  const ask = index.prepare<[string], number>('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rowid').pluck();
  return ask.all(gramsQuery([spellingsOf(text)]));
};

describe('the index', () => {
  test('knows every alert that has all three-character parts', () => {
    expect(found('disk full', ['{"a":"Disk Full"}', '{"a":"disk empty"}', '{"a":"the disk fullness"}'])).toEqual([
      0, 2,
    ]);
  });

  test.each(['"', 'a"b"c', '* OR *', 'NEAR(a b)', '(((', "';--", 'AND AND', 'a\0b'])('takes %j as text', (text) => {
    expect(found(`${text}xyz`, [JSON.stringify({ a: `${text}xyz` }), '{}'])).toEqual([0]);
  });

  test('is not asked for what is too short', () => {
    expect(isLongEnough(spellingsOf('ab'))).toBe(false);
    expect(isLongEnough(spellingsOf('🔥'))).toBe(false);
    expect(isLongEnough(spellingsOf('\0\0\0\0'))).toBe(false);
  });
});

const gramsOf = (text: string): string[] => {
  const characters = [...text];
  return characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
};

describe('a text without repeated trigrams', () => {
  const parts = fc.constantFrom(
    'a',
    'b',
    '"',
    ' ',
    '\n',
    'é',
    '漢',
    '🔥',
    '\ud83d',
    'the disk fills up ',
    '"status":"firing"',
  );

  test('has every trigram of the text, and is no longer than it', () => {
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 60 }), (some) => {
        const text = some.join('');
        const shorter = withoutRepeatedGrams(text);
        expect(new Set(gramsOf(shorter)).isSupersetOf(new Set(gramsOf(text)))).toBe(true);
        expect(shorter.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is much shorter where a sender repeats itself', () => {
    const alert = '{"status":"firing","labels":{"alertname":"HighLatency","severity":"critical"}}';
    const text = `[${Array.from({ length: 50 }, () => alert).join(',')}]`;
    expect(withoutRepeatedGrams(text).length).toBeLessThan(2 * alert.length);
  });

  test('is right also after 65,536 texts, when the numbers of texts begin again', () => {
    for (let text = 0; text < 2 ** 16; text += 1) withoutRepeatedGrams('abc');
    expect(withoutRepeatedGrams('abcabc')).toBe('abcab');
  });
});
