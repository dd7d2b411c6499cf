import { expect, test } from 'vitest';
import { hitsIn, patternOf, withHit, withNote } from './hits.tsx';

const marked = (text: string, ...texts: string[]) => {
  const pattern = patternOf(texts);
  return pattern
    ? hitsIn(text, pattern)
        .map(({ part, isHit }) => (isHit ? `[${part}]` : part))
        .join('')
    : text;
};

test('every text is marked, whatever its case, and the longest where two begin together', () => {
  expect(marked('TimeoutError: timeout of 16 s', 'timeout')).toBe('[Timeout]Error: [timeout] of 16 s');
  expect(marked('disk full, disk', 'disk', 'disk full')).toBe('[disk full], [disk]');
  expect(marked('İstanbul a.b axb', 'a.b')).toBe('İstanbul [a.b] axb');
  expect(marked('nothing', 'some')).toBe('nothing');
  expect(marked('nothing')).toBe('nothing');
});

const field = (name: string, value: unknown) => ({ id: name, key: name, name, value });

test('a hit that no shown field has takes the place of the last one', () => {
  const shown = ['a', 'b', 'c', 'd'].map((name) => field(name, 'x'));
  const pattern = patternOf(['heron']) ?? /$^/g;
  const fields = { shown, extra: [field('e', 'y'), field('f', 'a heron')] };
  expect(withHit(fields, pattern).shown.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'f']);
  expect(withHit(fields, pattern).extra.map(({ name }) => name)).toEqual(['d', 'e']);
  const there = { shown: [field('heron', 1)], extra: [field('f', 'a heron')] };
  expect(withHit(there, pattern)).toBe(there);
});

const named = (name: string) => ({ id: name, key: name, name, value: name });

test('shows the note that was found in the place of the last field', () => {
  const fields = { shown: ['a', 'b', 'c', 'd'].map(named), extra: ['e'].map(named) };
  const { shown, extra } = withNote(fields, 'Archive cleared');
  expect(shown.map(({ name, value }) => [name, value]).slice(2)).toEqual([
    ['c', 'c'],
    ['Note', 'Archive cleared'],
  ]);
  expect(extra.map(({ name }) => name)).toEqual(['d', 'e']);
  expect(withNote({ shown: [], extra: [] }, 'Archive cleared').shown).toHaveLength(1);
  expect(withNote(fields, undefined)).toEqual(fields);
});
