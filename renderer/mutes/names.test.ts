import { expect, it } from 'vitest';
import type { Customer } from '#backend/contract/mute.ts';
import { filterCustomers, sortCustomers } from './names.ts';

const named = (...names: string[]): Customer[] =>
  names.map((name) => ({ id: name, name, lastSeenAt: '2026-11-21T09:42:00.000Z' }));
const filtered = (search: string, ...names: string[]): string[] =>
  filterCustomers(sortCustomers(named(...names)), search).map(({ name }) => name);

it('sorts by name as a reader would', () => {
  expect(filtered('', 'Zeta', 'ärzte Nord', 'Store 10', 'store 9', 'Atlas')).toEqual([
    'ärzte Nord',
    'Atlas',
    'store 9',
    'Store 10',
    'Zeta',
  ]);
});

it('finds a part of the name, whatever its case', () => {
  expect(filtered('  NORD ', 'Nordwind', 'Harbor', 'ärzte nord')).toEqual(['ärzte nord', 'Nordwind']);
  expect(filtered('x', 'Nordwind')).toEqual([]);
});
