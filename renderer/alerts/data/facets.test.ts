import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import type { AlertTransition } from './alert-entry.ts';
import { SEVERITIES_KEY, countInView, recountSeverities } from './facets.ts';
import type { AlertListView } from './list-view.ts';

const INBOX: AlertListView = { list: 'inbox' };
const ATLAS: AlertListView = { list: 'inbox', customer: 'Atlas' };

const counts = [
  { severity: 'critical', alerts: 2 },
  { severity: 'low', alerts: 1 },
] as const;

/** What is left of the counts of a view after an alert changed. */
function after(view: AlertListView, change: Partial<AlertTransition>) {
  const client = new QueryClient();
  const key = [...SEVERITIES_KEY, view];
  client.setQueryData(key, counts);
  const transition = { id: 'a', before: undefined, after: undefined, seenBefore: undefined, seenAfter: undefined };
  recountSeverities(client, 'me', [{ ...transition, isAnswer: false, ...change }]);
  const left = client.getQueryData<{ severity: string; alerts: number }[]>(key) ?? [];
  return left.map(({ severity, alerts }) => `${severity} ${alerts}`);
}

const high = makeAlert('a', { severity: 'high', customer: 'Nordwind' });
const low = makeAlert('a', { severity: 'low', customer: 'Nordwind' });

test('a new alert counts where it belongs, in its rank', () => {
  expect(after(INBOX, { seenBefore: null, after: high, seenAfter: high })).toEqual(['critical 2', 'high 1', 'low 1']);
  expect(after(ATLAS, { seenBefore: null, after: high, seenAfter: high })).toEqual(['critical 2', 'low 1']);
});

test('one that left counts no more, and the last of a severity takes that away', () => {
  const accepted = { ...low, status: 'accepted', ownerId: 'other' } as const;
  expect(after(INBOX, { before: low, seenBefore: low, after: accepted, seenAfter: accepted })).toEqual(['critical 2']);
});

test('one whose severity changed counts with the other, and one that is deleted comes back by undo', () => {
  expect(after(INBOX, { before: low, seenBefore: low, after: high, seenAfter: high })).toEqual([
    'critical 2',
    'high 1',
  ]);
  expect(after(INBOX, { before: low, seenBefore: low, seenAfter: low })).toEqual(['critical 2']);
  expect(after(INBOX, { seenBefore: low, after: low, seenAfter: low })).toEqual(['critical 2', 'low 2']);
});

test('what was never seen here changes nothing: the server is asked', () => {
  expect(after(INBOX, { after: high, seenAfter: high })).toEqual(['critical 2', 'low 1']);
});

test('numbers stay above nothing', () => {
  expect(countInView([...counts], 'high', -1)).toEqual(counts);
});
