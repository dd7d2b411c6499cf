import { expect, it } from 'vitest';
import { estimateWidth, layoutFields } from './field-layout.ts';

const lay = (...fields: string[]): string[] =>
  layoutFields(fields, (field) => field.startsWith('long')).map(({ field, place }) => `${field} ${place}`);

it('gives one field all the room, and two a row each', () => {
  expect(lay('a')).toEqual(['a block']);
  expect(lay('a', 'long b')).toEqual(['a row', 'long b row']);
});

it('gives a long one of three a row of its own', () => {
  expect(lay('a', 'b', 'c')).toEqual(['a column', 'b column', 'c column']);
  expect(lay('long a', 'b', 'c')).toEqual(['long a row', 'b column', 'c column']);
  expect(lay('a', 'long b', 'c')).toEqual(['a column', 'c column', 'long b row']);
  expect(lay('a', 'b', 'long c')).toEqual(['a column', 'b column', 'long c row']);
  expect(lay('long a', 'long b', 'c')).toEqual(['long a row', 'long b column', 'c column']);
});

it('gives four a column each, however long', () => {
  expect(lay('long a', 'b', 'c', 'd')).toEqual(['long a column', 'b column', 'c column', 'd column']);
});

it('takes signs as wide as they are', () => {
  expect(estimateWidth('データベース')).toBeGreaterThan(estimateWidth('database'));
});
