import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readString, scanJson, scanMembers } from './scan-json.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Texts of the characters that JSON is made of: most of them are wrong in one place. */
const almostJson = fc
  .array(
    fc.constantFrom(
      ...'{}[],:"\\-+.eE0123u \n\t\r\u000b\u00a0\ufeff\u2028\u0000',
      '"a"',
      '"\\u00e9"',
      '"\\ud800"',
      '\\x',
      'true',
      'false',
      'null',
      'nul',
      '-0',
      '01',
      '1.5e+10',
      '.5',
      '{"a":',
      '[1,',
      'é',
      '\ud800',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** JSON with one character left out, doubled or exchanged. */
const damagedJson = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', '"', '\\', ',', '0', '}', ']', ' ', '\n', 'e', '-'))
  .map(([text, place, by]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + by + text.slice(at + 1);
  });

describe('a text is taken for JSON exactly when JSON.parse takes it', () => {
  test.each([
    '',
    ' ',
    '0',
    '-',
    '-0',
    '00',
    '1.',
    '1.e1',
    '1e',
    '1e+',
    '-1E-1',
    '+1',
    '0x1',
    'NaN',
    'tru',
    'trueé',
    '"\\u12g4"',
    '"\\u123"',
    '"\\u123',
    '"\\',
    '"a\nb"',
    '"\\u0000"',
    '"\u007f\u2028"',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    '{"a":}',
    '{"a":1 "b":2}',
    '[1}',
    '{"a":1]',
    '{} {}',
    '\ufeff{}',
    '\u00a0{}',
    ' \t\r\n{ "a" : [ ] , "b" : { } }\n',
  ])('%j', (text) => {
    expect(scanJson(text, 64) === 'valid').toBe(isJson(text));
  });

  test.each([
    ['texts of JSON’s characters', almostJson],
    ['damaged JSON', damagedJson],
    ['right JSON', fc.json()],
    ['any text', fc.string({ unit: 'binary' })],
  ])('%s', (_name, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(scanJson(text, 64) === 'valid').toBe(isJson(text));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('levels are counted outside strings, and the first one too many ends the scan', () => {
  expect(scanJson('[[{"a":"[[["}]]', 3)).toBe('valid');
  expect(scanJson('[[{"a":[]}]]', 3)).toBe('too deep');
  expect(scanJson('{"a":'.repeat(1_000_000), 64)).toBe('too deep');
});

test('the members of the outermost object are those that JSON.parse gives, in order', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.boolean(), (object, isSpaced) => {
      const text = JSON.stringify(object, undefined, isSpaced ? '\t' : '');
      const found: [string, unknown][] = [];
      scanJson(text, 64, (keyStart, keyEnd, valueStart, valueEnd) => {
        found.push([readString(text, keyStart, keyEnd), JSON.parse(text.slice(valueStart, valueEnd))]);
      });
      expect(found).toEqual(Object.entries(JSON.parse(text) as object));
    }),
  );
});

test('the members of an inner object are read from where it begins', () => {
  const text = '{"a":1,"b": {"x":"\\u0041","x":[2]} }';
  const found: string[] = [];
  scanMembers(text, text.indexOf('{', 1), (keyStart, keyEnd, valueStart, valueEnd) => {
    found.push(`${readString(text, keyStart, keyEnd)}=${text.slice(valueStart, valueEnd)}`);
  });
  expect(found).toEqual(['x="\\u0041"', 'x=[2]']);
});
