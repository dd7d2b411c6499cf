import { describe, expect, it } from 'vitest';
import { NOTHING_SELECTED, type Selected, extended, filterOf, isSelected, toggled } from './list-selection.ts';

const ROWS = ['e', 'd', 'c', 'b', 'a'].map((id) => ({
  id,
  customer: id < 'c' ? 'Nordwind' : 'Quayside',
  status: id === 'b' ? ('completed' as const) : ('accepted' as const),
}));

const idsOf = (selected: Selected) => ROWS.filter((row) => isSelected(selected, row)).map(({ id }) => id);
const from = (anchor: string | undefined, ...ids: string[]): Selected => ({
  ids: new Set(ids),
  anchor,
  all: undefined,
});
const allUpTo = (upTo: string, customer?: string): Selected => ({
  ...NOTHING_SELECTED,
  all: { count: 9, upTo, ...(customer !== undefined && { customer }) },
});

describe('everything that matches', () => {
  it('has what was there when it was selected, and nothing newer', () => {
    expect(idsOf(allUpTo('c'))).toEqual(['c', 'b', 'a']);
  });

  it('of one customer has theirs alone', () => {
    expect(idsOf(allUpTo('d', 'Quayside'))).toEqual(['d', 'c']);
  });

  it('without one alert is the other loaded ones, and an extension begins there', () => {
    expect(idsOf(toggled(allUpTo('d'), 'b', ROWS))).toEqual(['d', 'c', 'a']);
    expect(extended(allUpTo('d'), 'b', ROWS)).toEqual(from('b', 'd', 'c', 'a'));
  });
});

describe('single alerts', () => {
  it('are selected, and let go of', () => {
    const one = toggled(NOTHING_SELECTED, 'c', ROWS);
    expect(one).toEqual(from('c', 'c'));
    expect(toggled(one, 'a', ROWS)).toEqual(from('a', 'a', 'c'));
    expect(toggled(one, 'c', ROWS)).toEqual(from('c'));
  });

  it.each([
    ['down', 'd', 'b'],
    ['up', 'b', 'd'],
  ])('are extended %s from the anchor, which stays', (_way, anchor, to) => {
    const more = extended(from(anchor, anchor), to, ROWS);
    expect(more.anchor).toBe(anchor);
    expect(idsOf(more)).toEqual(['d', 'c', 'b']);
  });

  it('keep what was selected before when they are extended', () => {
    expect(idsOf(extended(from('d', 'a', 'd'), 'c', ROWS))).toEqual(['d', 'c', 'a']);
  });

  it('are selected alone where the anchor has left the list, and not at all where the alert has', () => {
    expect(extended(from('x'), 'c', ROWS)).toEqual(from('c', 'c'));
    expect(extended(from(undefined), 'c', ROWS)).toEqual(from('c', 'c'));
    expect(extended(from('c', 'c'), 'x', ROWS)).toEqual(from('x', 'c'));
  });
});

const member = (id: string) => ({ id, customer: 'Nordwind', status: 'pending' as const, groupId: 'g' });
const HEAD = member('g');
/** The parts of the group's row, of which these are loaded. */
const partsOfHead = (...loaded: string[]) => {
  const parts = loaded.map(member);
  return (row: { id: string }) => (row.id === HEAD.id ? parts : [member(row.id)]);
};

describe('a row of a group', () => {
  it('is selected with its own id, so that what is loaded later is let go of with it', () => {
    const selected = toggled(NOTHING_SELECTED, 'g', [HEAD], partsOfHead('b', 'a'));
    expect(selected).toEqual(from('g', 'g', 'b', 'a'));
    expect(isSelected(selected, member('c'))).toBe(false);
    expect(toggled(selected, 'g', [HEAD], partsOfHead('c', 'b', 'a'))).toEqual(from('g'));
  });

  it('is let go of with the last alert that is left of it', () => {
    expect(toggled(from('g', 'g', 'b', 'a'), 'a', [member('a')])).toEqual(from('a', 'b'));
  });
});

describe('a view as a filter', () => {
  it('has no order, and a folder where it is one', () => {
    expect(filterOf({ list: 'inbox', folderId: 'f', sort: 'oldest' })).toEqual({ list: 'inbox' });
    expect(filterOf({ list: 'folder', folderId: 'f', severity: ['high'], source: 's', customer: 'Nordwind' })).toEqual({
      list: 'folder',
      folderId: 'f',
      severity: ['high'],
      source: ['s'],
      customer: 'Nordwind',
    });
  });
});
