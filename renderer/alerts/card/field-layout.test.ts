import { expect, it } from 'vitest';
import { estimateWidth, layoutFields, splitMiddle } from './field-layout.ts';

const lay = (...fields: string[]): string[] =>
  layoutFields(fields, (field) => field.startsWith('long')).map(({ field, place }) => `${field} ${place}`);

it('gives one field all the space, and two a row each', () => {
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

it('leaves short addresses whole', () => {
  expect(splitMiddle('api.kestrelhealth.ex')).toEqual(['api.kestrelhealth.ex', '']);
});

it('keeps the end of a long one, from a separator when one is near', () => {
  expect(splitMiddle('nw-db-03.eu-central.nordwind.example:9100')).toEqual([
    'nw-db-03.eu-central.nordwind',
    '.example:9100',
  ]);
  expect(splitMiddle('github.com/bluepeak/meter-ingest/actions/runs/1234567')).toEqual([
    'github.com/bluepeak/meter-ingest/actions',
    '/runs/1234567',
  ]);
  expect(splitMiddle('example.com/aVeryLongNameWithoutAnySeparator')).toEqual([
    'example.com/aVeryLongNameWithoutAn',
    'ySeparator',
  ]);
});
