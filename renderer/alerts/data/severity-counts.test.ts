import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionQuery } from '#renderer/session/session.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { alertStoreOf } from './list-cache.ts';
import { severityCountsQuery } from './severity-counts.ts';

let answer: { severity: string; alerts: number }[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { origin: 'https://alertdesk.example.com' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  {
    name: 'one that comes',
    happen: (client: QueryClient) => alertStoreOf(client).learn(makeAlert('a', { severity: 'low' }), true),
    now: [{ severity: 'low', alerts: 1 }],
  },
  {
    name: 'one that comes and is accepted',
    happen: (client: QueryClient) => {
      const store = alertStoreOf(client);
      store.batch(() => {
        store.learn(makeAlert('a', { severity: 'low' }), true);
        store.change('a', undefined, (alert) => ({ ...alert, status: 'accepted', ownerId: 'other' }));
      });
    },
    now: [],
  },
])('the numbers are right once more of $name just after an answer that knew it', async ({ happen, now }) => {
  answer = [{ severity: 'low', alerts: 1 }];
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { id: 'me' } as never);
  const observer = new QueryObserver(client, severityCountsQuery({ list: 'inbox' }));
  const stop = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(observer.getCurrentResult().data).toEqual(answer);
  answer = now;
  happen(client);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(observer.getCurrentResult().data).toEqual(now);
  stop();
});

test('numbers of a page where alerts come all the time are seldom read again', async () => {
  const asked = vi.fn<typeof fetch>(() => Promise.resolve(Response.json(answer)));
  vi.stubGlobal('fetch', asked);
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { id: 'me' } as never);
  const stop = new QueryObserver(client, severityCountsQuery({ list: 'inbox' })).subscribe(() => undefined);
  for (let second = 0; second < 60; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    alertStoreOf(client).learn(makeAlert(`steady-${second}`, { severity: 'low' }), true);
  }
  expect(asked.mock.calls.length).toBeLessThan(10);
  stop();
});
