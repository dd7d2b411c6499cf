import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { alertListOptions, learnPage } from './alert-queries.ts';
import { alertStoreOf, needRows, recountAlertList } from './list-cache.ts';
import { type AlertPage, type AlertPages, idsOf, totalOf } from './list-pages.ts';

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

it('is not undone by a further page, which comes with the pages of before', async () => {
  const { client, count } = longList();
  const further = Promise.withResolvers<AlertPage>();
  const options = { ...alertListOptions, queryKey: [INBOX] as const, queryFn: () => further.promise };
  const list = new InfiniteQueryObserver<AlertPage, Error, AlertPages, readonly [string], string | undefined>(
    client,
    options,
  );
  const leave = list.subscribe(() => undefined);
  total = 9;
  recountAlertList(client, INBOX);
  await vi.advanceTimersByTimeAsync(300);
  const loaded = list.fetchNextPage();
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toBe(1);
  further.resolve(learnPage(client, { rows: [makeAlert('Z')], total: 9, next: 'Z' }, 0));
  await loaded;
  expect(loadedOf(client)).toBe(3);
  await vi.advanceTimersByTimeAsync(400);
  expect(count()).toBe(9);
  leave();
});

it('counts while requests for it never end, and applies what the server says though the list changes meanwhile', async () => {
  const { client, count } = longList();
  total = 40;
  whileInFlight = () => alertStoreOf(client).learn(makeAlert(`c${asked}`), true);
  for (let event = 0; event < 50; event += 1) {
    recountAlertList(client, INBOX);
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(asked).toBe(2);
  expect(count()).toBe(40);
  whileInFlight = () => undefined;
  total = 41;
  await vi.advanceTimersByTimeAsync(400);
  expect(count()).toBe(41);
});

it('counts once more what was wanted while the server was asked', async () => {
  const { client, count } = longList();
  total = 7;
  whileInFlight = () => recountAlertList(client, INBOX);
  recountAlertList(client, INBOX);
  await vi.advanceTimersByTimeAsync(400);
  whileInFlight = () => undefined;
  expect([asked, count()]).toEqual([1, 7]);
  total = 6;
  await vi.advanceTimersByTimeAsync(400);
  expect([asked, count()]).toEqual([2, 6]);
});

it('asks for a moment while an own change has no answer, shows what it is answered, and asks once more after it', async () => {
  const { client, count } = longList();
  const store = alertStoreOf(client);
  const own = store.begin([makeAlert('a')], (alert) => alert);
  total = 7;
  recountAlertList(client, INBOX);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked, count()]).toEqual([5, 7]);
  total = 6;
  store.end(own);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked, count()]).toEqual([6, 6]);
});

const mine = (id: string, status: Alert['status'], version = 1, ownerId = 'me'): Alert =>
  makeAlert(id, { status, version, ownerId });

/** A list by status of two pages. When it is read again, the second one comes when a test says so. */
function listByStatus() {
  const path = '/api/alerts/mine?sort=status';
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { id: 'me' } as never);
  const store = alertStoreOf(client);
  const learn = (rows: Alert[], next?: Alert): AlertPage =>
    learnPage(client, { rows, total: 5, ...(next && { next: next.id }) }, store.moment());
  const [d, c, b, a] = [mine('d', 'accepted'), mine('c', 'accepted'), mine('b', 'in-progress'), mine('a', 'completed')];
  const page = (): AlertPage => learn([d, c, b], b);
  client.setQueryData<AlertPages>([path], { pages: [page(), learn([a])], pageParams: [undefined, 'b'] });
  const second = Promise.withResolvers<AlertPage>();
  const list = new InfiniteQueryObserver<AlertPage, Error, AlertPages, readonly [string], string | undefined>(client, {
    ...alertListOptions,
    queryKey: [path] as const,
    queryFn: ({ pageParam }) => (pageParam === undefined ? page() : second.promise),
  });
  const ids = (): string[] => idsOf(client.getQueryData<AlertPages>([path]) ?? { pages: [], pageParams: [] });
  return { list, ids, learn, store, arrive: () => second.resolve(learn([a])) };
}

it.each([
  { what: 'moved', status: 'completed', ownerId: 'me', expected: ['c', 'b', 'd', 'a'] },
  { what: 'took out', status: 'accepted', ownerId: 'colleague', expected: ['c', 'b', 'a'] },
] as const)(
  'knows what the answer of another list $what while the last page was in flight',
  async ({ status, ownerId, expected }) => {
    const { list, ids, learn, store, arrive } = listByStatus();
    const leave = list.subscribe(() => undefined);
    const read = list.refetch();
    await vi.advanceTimersByTimeAsync(0);
    const changed = mine('d', status, 2, ownerId);
    learn([changed]);
    expect(ids()).toEqual(expected);
    arrive();
    await read;
    expect(ids()).toEqual(expected);
    store.learn(changed);
    expect(ids()).toEqual(expected);
    leave();
  },
);
