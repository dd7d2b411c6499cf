import { expect, it } from 'vitest';
import { mergeWritten, saysSame } from './merge-written.ts';

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

it('names a field that never shows what is stored where its mark is another one, if it was written', () => {
  const start = { name: 'Ops', token: '' };
  const marks = { start: { token: '1234' }, theirs: { token: '5678' } };
  expect(mergeWritten(start, { name: 'Ops', token: 'mine' }, start, marks).conflicts).toEqual(['token']);
  expect(mergeWritten(start, { name: 'Ops, day', token: '' }, start, marks).conflicts).toEqual([]);
  expect(
    mergeWritten(start, { name: 'Ops', token: 'mine' }, start, { ...marks, theirs: marks.start }).conflicts,
  ).toEqual([]);
});

it('knows what says the same as what is stored, though it is written otherwise', () => {
  const sentOf = ({ name, customers }: typeof START) => (name === '' ? undefined : [name, customers.toSorted()]);
  const start = { ...START, customers: ['Nordwind', 'Harbor'] };
  expect(saysSame(start, { ...start, customers: ['Harbor', 'Nordwind'], room: 'C2' }, sentOf)).toBe(true);
  expect(saysSame(start, { ...start, customers: ['Harbor'] }, sentOf)).toBe(false);
  expect(saysSame({ ...start, name: '' }, { ...start, name: '', room: 'C2' }, sentOf)).toBe(false);
});
