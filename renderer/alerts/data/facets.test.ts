import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { takeEarlyAnswer } from '#renderer/lib/early-start.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import type { AlertTransition } from './alert-entry.ts';
import { FACETS_KEY, SEVERITIES_KEY, countInView, recountSeverities, refreshFacets } from './facets.ts';
import type { AlertListView } from './list-view.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

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

test('what changes while the numbers are read has them read again, and what is in no view does not', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const readAgain = vi.spyOn(client, 'invalidateQueries').mockResolvedValue(undefined);
  const { promise, resolve } = Promise.withResolvers<typeof counts>();
  void client.prefetchQuery({ queryKey: [...SEVERITIES_KEY, INBOX], queryFn: () => promise });
  const accepted = { ...low, status: 'accepted', ownerId: 'other' } as const;
  const transition = { id: 'a', before: low, seenBefore: low, after: accepted, seenAfter: accepted, isAnswer: false };
  recountSeverities(client, 'me', [{ ...transition, before: accepted }]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(readAgain).not.toHaveBeenCalled();
  recountSeverities(client, 'me', [transition]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(readAgain).toHaveBeenCalledOnce();
  resolve(counts);
});

test('numbers stay above nothing', () => {
  expect(countInView([...counts], 'high', -1)).toEqual(counts);
});

test('a new alert that comes while what the inbox is filtered by is read has it read again', async () => {
  vi.useFakeTimers();
  const client = new QueryClient();
  const readAgain = vi.spyOn(client, 'invalidateQueries').mockResolvedValue(undefined);
  refreshFacets(client, [{ before: null, after: high }]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(readAgain).not.toHaveBeenCalled();
  const { promise, resolve } = Promise.withResolvers<string>();
  void client.prefetchQuery({ queryKey: [...FACETS_KEY, 'list=inbox'], queryFn: () => promise });
  refreshFacets(client, [{ before: null, after: high }]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(readAgain).toHaveBeenCalledOnce();
  resolve('read');
});

test('what was asked for with the page is asked for again by who shows it, after an alert has come', async () => {
  const path = '/api/alerts/facets?list=inbox';
  const cancel = vi.fn<() => void>();
  const early = Promise.resolve(new Response(new ReadableStream({ cancel })));
  vi.stubGlobal('window', { alertdeskEarly: { answers: new Map([[path, early]]) } });
  const client = new QueryClient();
  // Somebody who may come to need it.
  client.getQueryCache().build(client, { queryKey: [...FACETS_KEY, 'list=inbox'] });
  refreshFacets(client, [{ before: null, after: high }]);
  expect(takeEarlyAnswer(path)).toBeUndefined();
  // The one that nobody reads is given up.
  await vi.waitFor(() => expect(cancel).toHaveBeenCalled());
});
