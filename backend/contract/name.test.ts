import { expect, test } from 'vitest';
import { byName, nameSchema, nameSortKey } from './name.ts';
import { newViewSchema } from './view.ts';

test('a name is on one line, without what nobody sees', () => {
  expect(nameSchema.parse('\u0000Ann\r\nAshby\u2028\t ')).toBe('Ann Ashby');
  expect(nameSchema.safeParse('\n\u0007').success).toBe(false);
});

test('the name of a view is on one line, too', () => {
  expect(newViewSchema.parse({ name: ' Night\nshift ', list: 'inbox' }).name).toBe('Night shift');
  expect(newViewSchema.safeParse({ name: '\n', list: 'inbox' }).success).toBe(false);
});

test('names stand as people look for them: whatever the case and accents, numbers by their value', () => {
  const names = ['zebra', 'Ébène', 'host 10', 'apple', 'Zoo', 'host 9', 'Apple', 'ember'];
  expect(names.toSorted(byName)).toEqual(['Apple', 'apple', 'Ébène', 'ember', 'host 9', 'host 10', 'zebra', 'Zoo']);
});

test('names that differ at all have one order, whichever comes first', () => {
  for (const [one, other] of [
    ['a', 'A'],
    ['e\u0301', '\u00E9'],
    ['01', '1'],
  ] as const)
    expect([[one, other].toSorted(byName), byName(one, one)]).toEqual([[other, one].toSorted(byName), 0]);
});

test('a sort key ignores case and accents, and has digits by their value', () => {
  expect(['Éclair 007', 'ﬁsh', '', 'x'.repeat(300)].map((name) => nameSortKey(name).slice(0, 260))).toEqual([
    'eclair 17',
    'fish',
    '',
    'x'.repeat(255),
  ]);
});

const bytes = (name: string) => Buffer.from(name);

test('the order is that of UTF-8 bytes, as databases have it', () => {
  const names = ['\u{1F525}', '\uE000', '\uFF5E', 'z', '\u{10348}'];
  expect(names.toSorted(byName)).toEqual(
    names.toSorted((one, other) => Buffer.compare(bytes(nameSortKey(one)), bytes(nameSortKey(other)))),
  );
});
