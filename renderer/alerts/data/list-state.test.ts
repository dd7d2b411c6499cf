import { createStore } from 'jotai';
import { expect, test } from 'vitest';
import { type BulkRun, bulkRunsAtom, departAtom, departuresAtom, noteBulkRunAtom } from './list-state.ts';

const run = (id: number, done: number): BulkRun => ({
  id,
  ids: new Set(),
  done,
  total: 2000,
  cancel: () => undefined,
});

test('two changes of many alerts at once have a progress each', () => {
  const store = createStore();
  store.set(noteBulkRunAtom, 1, run(1, 0));
  store.set(noteBulkRunAtom, 2, run(2, 0));
  store.set(noteBulkRunAtom, 1, run(1, 500));
  expect(store.get(bulkRunsAtom).map(({ id, done }) => [id, done])).toEqual([
    [1, 500],
    [2, 0],
  ]);
  store.set(noteBulkRunAtom, 1);
  expect(store.get(bulkRunsAtom).map(({ id }) => id)).toEqual([2]);
});

test('who accepted an alert is forgotten when it is given back', () => {
  const store = createStore();
  store.set(departAtom, 'a', 'Anna');
  store.set(departAtom, 'b', 'Ben');
  store.set(departAtom, 'a', null);
  store.set(departAtom, 'c', null);
  expect([...store.get(departuresAtom)]).toEqual([['b', 'Ben']]);
});
