import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { type LeavingRows, leavingAfter, withLeavingRows, withoutLeavingRows } from './list-rows.ts';

const rows = (ids: string): Alert[] => [...ids].map((id) => makeAlert(id));

const NONE: LeavingRows = new Map();
const QUIETLY = { acceptedBy: () => undefined };

/** What is drawn after a list was each of these in turn. */
const drawn = (first: string, ...steps: string[]): string => {
  let state = { alerts: rows(first), leaving: NONE };
  for (const step of steps) state = { alerts: rows(step), leaving: leavingAfter(state, rows(step), QUIETLY) };
  return wordOf(state);
};
const wordOf = ({ alerts, leaving }: { alerts: Alert[]; leaving: LeavingRows }): string =>
  withLeavingRows(alerts, leaving)
    .map(({ id }) => id)
    .join('');

it('keeps leaving rows where they were', () => {
  expect(drawn('fedcba', 'fdca')).toBe('fedcba');
  expect(drawn('fed', 'fe')).toBe('fed');
  expect(drawn('fed', '')).toBe('fed');
});

it('lets new rows in around them', () => {
  expect(drawn('ed', 'gfd')).toBe('gfed');
});

it('keeps them in their order when one leaves after the other, whichever is first', () => {
  expect(drawn('fedcba', 'edcba', 'dcba', 'cba')).toBe('fedcba');
  expect(drawn('fedcba', 'fecba', 'fcba', 'cba')).toBe('fedcba');
  expect(drawn('fedcba', 'fdcba', 'dcba', 'dcb')).toBe('fedcba');
  // All of them, and one that comes meanwhile.
  expect(drawn('cba', 'ba', 'dba', 'db', 'd')).toBe('dcba');
  expect(drawn('cba', 'ba', 'a', 'ba')).toBe('cba');
});

it('keeps the others in their place when one has left for good', () => {
  const alerts = rows('cba');
  const first = leavingAfter({ alerts: rows('edcba'), leaving: NONE }, rows('dcba'), QUIETLY);
  const both = leavingAfter({ alerts: rows('dcba'), leaving: first }, alerts, QUIETLY);
  expect(wordOf({ alerts, leaving: both })).toBe('edcba');
  expect(wordOf({ alerts, leaving: withoutLeavingRows(both, new Set('d')) })).toBe('ecba');
  expect(wordOf({ alerts, leaving: withoutLeavingRows(both, new Set('e')) })).toBe('dcba');
  expect(wordOf({ alerts, leaving: withoutLeavingRows(both, new Set('de')) })).toBe('cba');
});

it('draws another list at once', () => {
  expect(drawn('gfedcba', 'z')).toBe('z');
});

it('keeps every leaving row of a list that is frozen', () => {
  const context = { ...QUIETLY, isFrozen: true };
  expect([...leavingAfter({ alerts: rows('gfedcba'), leaving: NONE }, rows('a'), context).keys()]).toEqual([
    ...'gfedcb',
  ]);
});

it('keeps only those of them that are on screen, in their places', () => {
  const context = {
    ...QUIETLY,
    isFrozen: true,
    isDrawn: (id: string) => 'edc'.includes(id),
  };
  const leaving = leavingAfter({ alerts: rows('hgfedcba'), leaving: NONE }, rows('gda'), context);
  expect(wordOf({ alerts: rows('gda'), leaving })).toBe('gedca');
  const later = leavingAfter({ alerts: rows('gda'), leaving }, rows('g'), context);
  expect(wordOf({ alerts: rows('g'), leaving: later })).toBe('gedc');
  const beside = leavingAfter({ alerts: rows('edcba'), leaving: NONE }, rows('dba'), context);
  const last = leavingAfter({ alerts: rows('dba'), leaving: beside }, rows('da'), context);
  expect(wordOf({ alerts: rows('da'), leaving: last })).toBe('edca');
});

it('says who accepted, and which row the person took out', () => {
  const context = {
    acceptedBy: (id: string) => (id === 'b' ? 'Jonas' : undefined),
    isOwn: (id: string) => id === 'c',
  };
  expect([...leavingAfter({ alerts: rows('cba'), leaving: NONE }, rows('a'), context).values()]).toMatchObject([
    { acceptedBy: undefined, isOwn: true },
    { acceptedBy: 'Jonas', isOwn: false },
  ]);
});

it('says of no row that had an owner, nor of one that the person took out, who accepted it once', () => {
  const [owned, taken] = [makeAlert('a', { status: 'accepted', ownerId: 'me' }), makeAlert('b')];
  const context = { acceptedBy: () => 'Jonas', isOwn: (id: string) => id === 'b' };
  expect([...leavingAfter({ alerts: [owned, taken], leaving: NONE }, [], context).values()]).toMatchObject([
    { acceptedBy: undefined, isOwn: false },
    { acceptedBy: undefined, isOwn: true },
  ]);
});
