import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonValue, readJson } from './json-value.ts';
import { WantedNames } from './wanted-names.ts';

const read = (text: string): JsonValue => {
  const value = readJson(text, 64);
  if (typeof value === 'string') throw new Error(value);
  return value;
};

test('finds a member by its path, and says the path', () => {
  const root = read('{"alerts": [ {"labels":{"a b":"x","job":"node"}} , {"labels":{"job":7}} ]}');
  expect(root.at(['alerts', 1, 'labels', 'job'])).toMatchObject({ string: '7', path: 'alerts[1].labels.job' });
  expect(root.at(['alerts', 0, 'labels', 'a b'])?.path).toBe("alerts[0].labels['a b']");
  expect(root.at(['alerts', 2, 'labels'])).toBeUndefined();
  expect(root.at(['alerts', 'labels'])).toBeUndefined();
});

test('keeps every digit of a number', () => {
  expect(read('{"id":820982911946154508,"e":1e400}').get('id')?.string).toBe('820982911946154508');
  expect(read('[-0.10]').items()[0]?.string).toBe('-0.10');
});

test('counts the last of several members, and knows keys that are written with escapes', () => {
  expect(read('{"a":1,"a":2}').get('a')?.string).toBe('2');
  expect(read(String.raw`{"gr\u00f6\u00dfe":"x"}`).get('größe')?.string).toBe('x');
  expect(read(String.raw`{"a\"b":"x"}`).get('a"b')?.string).toBe('x');
  expect(read('{"__proto__":{"a":1}}').get('a')).toBeUndefined();
});

test('has a text for strings and numbers only', () => {
  const texts = read('["", "  ", " a ", null, true, {}, [], 0]')
    .items()
    .map((item) => item.string);
  expect(texts).toEqual([undefined, undefined, 'a', undefined, undefined, undefined, undefined, '0']);
});

test('picks the members that are wanted, some of them in any case', () => {
  const wanted = new WantedNames(['exact'], ['type']);
  const picked = read(String.raw`{"Exact":1,"exact":2,"TYPE":3,"t\u0079pe":4,"other":5}`).pick(wanted);
  expect([...picked].map(([name, value]) => [name, value.string])).toEqual([
    ['exact', '2'],
    ['TYPE', '3'],
    ['type', '4'],
  ]);
});

test('refuses what is not JSON or nests too deeply', () => {
  expect(readJson('{"a":}', 64)).toBe('invalid');
  expect(readJson('[[[]]]', 2)).toBe('too deep');
});

/** All values that can be reached, built again. */
function rebuild(value: JsonValue): unknown {
  if (value.isArray) return value.items().map(rebuild);
  if (!value.isObject) return JSON.parse(value.source);
  return Object.fromEntries([...new Set(value.names(1_000))].map((name) => [name, rebuild(value.get(name)!)]));
}

describe('with any JSON', () => {
  const json = fc.jsonValue({ maxDepth: 5 });
  const spaces = fc.constantFrom(undefined, 1, '\t', ' \n');

  test('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(json, spaces, (value, space) => {
        const text = JSON.stringify(value, undefined, space);
        expect(JSON.stringify(rebuild(read(` ${text}\n`)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  test('finds the end of a string with any number of backslashes', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\\', '"', 'a', '{', ']'), { maxLength: 12 }), (characters) => {
        const text = characters.join('');
        const root = read(JSON.stringify({ [text]: [text, { [text]: text }], after: 1 }));
        expect(JSON.parse(root.at([text, 1, text])!.source)).toBe(text);
        expect(root.get('after')?.string).toBe('1');
      }),
      { numRuns: 300 },
    );
  });
});
