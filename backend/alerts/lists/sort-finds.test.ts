import { expect, test } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { placesBehind, sortFinds } from './sort-finds.ts';

/** Answers with rows whatever it is asked. */
const answering = (rows: object[]) =>
  ({ reads: { query: async () => rows }, dialect: { byKey: () => '' } }) as unknown as Database;

const place = (id: string, status: 'pending' | 'accepted' | 'completed' = 'pending') => ({ id, status });

test('finds stand by severity, then by time; a deleted one is left out', async () => {
  const rows = [
    { id: 'a', severity: 'low', state: null },
    { id: 'b', severity: 'critical', state: 'acknowledged' },
    { id: 'c', severity: 'critical', state: 'firing' },
    { id: 'd', severity: null, state: null },
    { id: 'e', severity: 'critical', state: 'resolved' },
    { id: 'f', severity: 'low', state: 'firing' },
  ];
  const places = ['g', 'f', 'e', 'd', 'c', 'b', 'a'].map((id) => place(id));
  const sorted = await sortFinds(answering(rows), places, 'urgency');
  expect(sorted.map(({ id }) => id)).toEqual(['c', 'b', 'f', 'a', 'd', 'e']);

  const behind = (before: string | undefined) => placesBehind(sorted, before, 'urgency').map(({ id }) => id);
  expect(behind(undefined)).toEqual(['c', 'b', 'f', 'a', 'd', 'e']);
  expect(behind('low~f')).toEqual(['a', 'd', 'e']);
  // What a cursor names may have left the list.
  expect(behind('high~x')).toEqual(['f', 'a', 'd', 'e']);
  expect(behind('resolved~e')).toEqual([]);
});

test('finds stand by status', async () => {
  const places = [place('c'), place('b', 'completed'), place('a', 'accepted')];
  const sorted = await sortFinds(answering([]), places, 'status');
  expect(sorted.map(({ id, group }) => [id, group])).toEqual([
    ['a', 'accepted'],
    ['b', 'completed'],
    ['c', 'pending'],
  ]);
});
