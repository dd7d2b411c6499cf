import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { rowsLeaving, withLeavingRows } from './leaving-rows.ts';

const rows = (ids: string): Alert[] => [...ids].map((id) => makeAlert(id));

const drawn = (previous: string, next: string): string => {
  const leaving = new Map(
    rowsLeaving(rows(previous), rows(next), { acceptedBy: new Map() }).map((row) => [row.alert.id, row]),
  );
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

it('keeps every leaving row of a list that is held', () => {
  const context = { acceptedBy: new Map<string, string>(), isHeld: true };
  expect(rowsLeaving(rows('gfedcba'), rows('a'), context).map(({ alert }) => alert.id)).toEqual([...'gfedcb']);
});

it('says who accepted, and which row the person took out', () => {
  const context = { acceptedBy: new Map([['b', 'Jonas']]), isOwn: (id: string) => id === 'c' };
  expect(rowsLeaving(rows('cba'), rows('a'), context)).toMatchObject([
    { acceptedBy: undefined, isOwn: true },
    { acceptedBy: 'Jonas', isOwn: false },
  ]);
});
