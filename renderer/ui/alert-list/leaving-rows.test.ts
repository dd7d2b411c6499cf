import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { rowsLeaving, withLeavingRows } from './leaving-rows.ts';

const rows = (ids: string): Alert[] => [...ids].map((id) => makeAlert(id));

const drawn = (previous: string, next: string): string => {
  const leaving = new Map(rowsLeaving(rows(previous), rows(next), new Map()).map((row) => [row.alert.id, row]));
  return withLeavingRows(rows(next), leaving)
    .map(({ id }) => id)
    .join('');
};

it('keeps leaving rows where they were', () => {
  expect(drawn('fedcba', 'fdca')).toBe('fedcba');
  expect(drawn('fed', 'fe')).toBe('fed');
  expect(drawn('fed', '')).toBe('fed');
});

it('lets new rows in around them', () => {
  expect(drawn('ed', 'gfd')).toBe('gfed');
});

it('draws another list at once', () => {
  expect(drawn('gfedcba', 'z')).toBe('z');
});

it('tells who accepted', () => {
  expect(rowsLeaving(rows('ba'), rows('a'), new Map([['b', 'Jonas']]))[0]?.acceptedBy).toBe('Jonas');
});
