import { expect, it } from 'vitest';
import { mergeWritten } from './merge-written.ts';

const START = { name: 'Ops', customers: ['Nordwind'], room: 'C1' };

it('takes over what somebody else has saved, and keeps what was changed here', () => {
  const merged = mergeWritten(START, { ...START, name: 'Ops, day' }, { ...START, customers: [] });
  expect(merged.written).toEqual({ name: 'Ops, day', customers: [], room: 'C1' });
  expect(merged.conflicts).toEqual([]);
});

it('names fields that both have changed, unless both say the same', () => {
  const mine = { name: 'Ops, day', customers: ['Harbor'], room: 'C2' };
  const merged = mergeWritten(START, mine, { name: 'Ops, day', customers: [], room: 'C1' });
  expect(merged.conflicts).toEqual(['customers']);
  expect(merged.written).toEqual(mine);
});
