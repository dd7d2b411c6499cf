import { describe, expect, it } from 'vitest';
import { filterOf, paramsOf, viewOf } from './delivery-filter.ts';
import { EMPTY_SELECTION, toggled } from './selection.ts';

describe('the view of the log', () => {
  it('is read from the address and written to it', () => {
    const address = 'outcome=refused&q=nw-db&hours=1&from=2025-11-21T08%3A00%3A00.000Z&to=2025-11-21T09%3A00%3A00.000Z';
    expect(paramsOf(viewOf(new URLSearchParams(address))).toString()).toBe(address);
  });

  it('is the last 24 hours where the address says nothing, or nonsense', () => {
    expect(viewOf(new URLSearchParams())).toEqual({ outcome: undefined, q: '', hours: 24, range: undefined });
    const nonsense = viewOf(new URLSearchParams('outcome=lost&hours=5&from=yesterday&to=today'));
    expect(nonsense).toEqual({ outcome: undefined, q: '', hours: 24, range: undefined });
    expect(paramsOf(nonsense).toString()).toBe('');
  });

  it('asks for its span from the opening on, or for the selected range', () => {
    const openedAt = Date.parse('2025-11-21T09:42:00.000Z');
    expect(filterOf(viewOf(new URLSearchParams('q=%20db%20')), openedAt)).toEqual({
      from: '2025-11-20T09:42:00.000Z',
      q: 'db',
    });
    const range = { from: '2025-11-21T08:00:00.000Z', to: '2025-11-21T09:00:00.000Z' };
    expect(filterOf({ outcome: 'new', q: '', hours: 24, range }, openedAt)).toEqual({ ...range, outcome: 'new' });
  });
});

describe('the selection', () => {
  const rows = ['a', 'b', 'c', 'd'];

  it('takes rows one by one, and lets go of them', () => {
    const one = toggled(EMPTY_SELECTION, rows, 'b', false);
    expect([...one.ids]).toEqual(['b']);
    expect([...toggled(one, rows, 'b', false).ids]).toEqual([]);
  });

  it('takes what is between, in either direction', () => {
    const from = toggled(EMPTY_SELECTION, rows, 'd', false);
    expect([...toggled(from, rows, 'b', true).ids].toSorted()).toEqual(['b', 'c', 'd']);
  });

  it('takes one row when the beginning of the range has gone', () => {
    expect([...toggled({ ids: new Set(['x']), anchor: 'x' }, rows, 'a', true).ids].toSorted()).toEqual(['a', 'x']);
  });
});
