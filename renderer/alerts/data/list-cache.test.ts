import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { learnPage } from './alert-queries.ts';
import { alertStoreOf, needRows, recountAlertList } from './list-cache.ts';
import { type AlertPages, idsOf, totalOf } from './list-pages.ts';

const INBOX = '/api/alerts/inbox';

let asked = 0;
let total = 0;
/** What happens between the server's answer and its arrival. */
let whileInFlight: () => void = () => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  whileInFlight = () => undefined;
  vi.stubGlobal('fetch', () => {
    asked += 1;
    const answer = new Response('[]', { headers: { 'X-Total-Count': String(total) } });
    whileInFlight();
    return Promise.resolve(answer);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function longList() {
  const client = new QueryClient();
  client.setQueryData<AlertPages>([INBOX], {
    pages: [learnPage(client, { rows: [makeAlert('b'), makeAlert('a')], total: 10, next: 'a' }, 0)],
    pageParams: [undefined],
  });
  const count = (): number => totalOf(client.getQueryData<AlertPages>([INBOX]) ?? { pages: [], pageParams: [] });
  return { client, count };
}

const loadedOf = (client: QueryClient): number =>
  idsOf(client.getQueryData<AlertPages>([INBOX]) ?? { pages: [], pageParams: [] }).length;

it('asks once for many events, when it has become quiet', async () => {
  const { client, count } = longList();
  total = 7;
  for (let event = 0; event < 5; event += 1) recountAlertList(client, INBOX);
  await vi.advanceTimersByTimeAsync(399);
  expect(asked).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(1);
  expect(count()).toBe(7);
});

it('keeps the top of a list that nobody looks at while thousands arrive, and counts all', () => {
  const { client, count } = longList();
  const store = alertStoreOf(client);
  const arrive = (from: number): void => {
    for (let number = from; number < from + 2_000; number += 1) store.learn(makeAlert(`c${number}`), true);
  };
  arrive(1_000);
  expect(count()).toBe(2_010);
  expect(loadedOf(client)).toBeLessThanOrEqual(1_100);
  expect(loadedOf(client)).toBeGreaterThanOrEqual(500);
  needRows(client, INBOX, 1_500);
  arrive(3_000);
  expect(loadedOf(client)).toBeGreaterThanOrEqual(2_000);
  needRows(client, INBOX, 0);
  expect(loadedOf(client)).toBeLessThanOrEqual(700);
  expect(count()).toBe(4_010);
});

it('asks again when the list changed before the answer came', async () => {
  const { client, count } = longList();
  total = 9;
  whileInFlight = () => {
    total = 8;
    alertStoreOf(client).remove('b');
  };
  recountAlertList(client, INBOX);
  await vi.advanceTimersByTimeAsync(400);
  whileInFlight = () => undefined;
  await vi.advanceTimersByTimeAsync(400);
  expect(asked).toBe(2);
  expect(count()).toBe(8);
});
