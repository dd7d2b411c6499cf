import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { alertKey } from '#renderer/alerts/data/alert-details.ts';
import { alertListOptions, learnPage } from '#renderer/alerts/data/alert-queries.ts';
import { alertStoreOf, listedAlerts } from '#renderer/alerts/data/list-cache.ts';
import type { AlertListPath } from '#renderer/alerts/data/list-view.ts';
import { keepOutdated } from '#renderer/lib/query-freshness.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { applyEvents } from './apply-event.ts';
import { followAlertReads } from './follow-alerts.ts';
import { watchResync } from './resync.ts';

const ME = 'me';
const INBOX: AlertListPath = '/api/alerts/inbox';
const INBOX_CHANGED: LiveEvent = { type: 'lists_changed', lists: ['inbox'], ownerId: null };

let client: QueryClient;
/** How many events the server has sent: its answers say as much. */
let happened: number;
/** How many reads were begun and not answered. */
let inFlight: number;
let stop: (() => void)[];

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  client.setQueryData(sessionQuery.queryKey, { id: ME } as never);
  keepOutdated(client);
  [happened, inFlight, stop] = [0, 0, [watchResync(client, () => undefined).stop]];
});

afterEach(() => {
  for (const end of stop) end();
  client.clear();
  vi.useRealTimers();
});

/** What the server has when it is asked arrives after `ms`, unless the page gives it up. */
function answerAfter(ms: number, signal: AbortSignal): Promise<number> {
  const answer = happened;
  inFlight += 1;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(answer), ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('given up', 'AbortError'));
    });
  }).finally(() => (inFlight -= 1)) as Promise<number>;
}

/** Shows the inbox: one alert, named after what had happened. Returns that number as it is on screen. */
function showInbox(answerMs: number): () => number {
  const observer = new InfiniteQueryObserver(client, {
    ...alertListOptions,
    queryKey: [INBOX],
    queryFn: async ({ signal }) => {
      const askedAt = alertStoreOf(client).moment();
      const rows = [makeAlert(String(await answerAfter(answerMs, signal)))];
      return learnPage(client, { rows, total: 1 }, askedAt);
    },
  });
  stop.push(observer.subscribe(() => undefined));
  return () => Number(listedAlerts(client, INBOX)?.[0]?.id ?? 0);
}

const apply = (event: LiveEvent): void =>
  applyEvents([event], { client, me: ME, isCurrent: () => false, depart: () => undefined });

const hello = (): LiveEvent => ({ type: 'hello', version: '', inboxCount: 0 });

it.each([
  ['a list', INBOX_CHANGED, 100, 250],
  ['a list after greetings', hello(), 100, 250],
  ['a list whose answers take long', INBOX_CHANGED, 1_000, 4_000],
])('%s shows what happened within two answers, however many events come', async (_what, event, everyMs, answerMs) => {
  const shown = showInbox(answerMs);
  await vi.advanceTimersByTimeAsync(answerMs);
  const lags: number[] = [];
  let mostInFlight = 0;
  for (let round = 0; round < 60; round += 1) {
    happened += 1;
    apply(event);
    mostInFlight = Math.max(mostInFlight, inFlight);
    await vi.advanceTimersByTimeAsync(everyMs);
    lags.push((happened - shown()) * everyMs);
  }
  expect(Math.max(...lags)).toBeLessThanOrEqual(2 * answerMs);
  await vi.advanceTimersByTimeAsync(2 * answerMs);
  expect([shown(), inFlight, mostInFlight]).toEqual([happened, 0, 1]);
});

it('what is unsure is read again though its answers take longer than the pause between reads', async () => {
  const shown = showInbox(3_000);
  await vi.advanceTimersByTimeAsync(3_000);
  const unsure: LiveEvent = {
    type: 'alerts_changed',
    change: 'unaccepted',
    alertIds: ['unknown'],
    ownerId: null,
    ownerName: null,
  };
  for (let round = 0; round < 100; round += 1) {
    happened += 1;
    apply(unsure);
    await vi.advanceTimersByTimeAsync(200);
  }
  // A read every two seconds at most, and two answers.
  expect((happened - shown()) * 200).toBeLessThanOrEqual(2_000 + 2 * 3_000);
});

it('an open alert that changes faster than it is read is read', async () => {
  const queryKey = [...alertKey('a'), 'details'];
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: ({ signal }) => answerAfter(700, signal),
    staleTime: Infinity,
  });
  stop.push(observer.subscribe(() => undefined));
  const lags: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    happened += 1;
    followAlertReads(client, [{ type: 'notes_changed', alertId: 'a' } as LiveEvent]);
    await vi.advanceTimersByTimeAsync(300);
    lags.push(happened - (client.getQueryData<number>(queryKey) ?? 0));
  }
  expect(Math.max(...lags) * 300).toBeLessThanOrEqual(2_000 + 2 * 700);
});

it('a read that hangs is given up by its limit, read again, and the newest is shown', async () => {
  let isHanging = false;
  const observer = new InfiniteQueryObserver(client, {
    ...alertListOptions,
    queryKey: [INBOX],
    queryFn: async ({ signal }) => {
      const askedAt = alertStoreOf(client).moment();
      const limit = new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('late')), 10_000));
      const answer = answerAfter(isHanging ? Infinity : 100, signal);
      const rows = [makeAlert(String(await Promise.race([answer, limit])))];
      return learnPage(client, { rows, total: 1 }, askedAt);
    },
  });
  stop.push(observer.subscribe(() => undefined));
  await vi.advanceTimersByTimeAsync(100);
  isHanging = true;
  apply(INBOX_CHANGED);
  isHanging = false;
  happened += 1;
  apply(INBOX_CHANGED);
  await vi.advanceTimersByTimeAsync(10_100);
  expect(listedAlerts(client, INBOX)?.map(({ id }) => id)).toEqual(['1']);
});
