import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#renderer/lib/api-client.ts';
import { type Resync, watchResync } from './resync.ts';

const KEY = ['/api/alerts/inbox'];

let client: QueryClient;
let resync: Resync;
/** What the server answers with; undefined: it answers. */
let failure: Error | undefined;
/** It never answers. */
let isHanging: boolean;
/** When it was asked, in milliseconds of the clock. */
let asked: number[];
/** What was said about whether the page is behind. */
let said: boolean[];
let leave: () => void;

async function answer(): Promise<string> {
  asked.push(Date.now());
  if (isHanging) return new Promise(() => undefined);
  if (failure) throw failure;
  return 'new';
}

/** Waits between the requests, in milliseconds. */
const waits = (): number[] => asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
const advance = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
const refetch = () => client.refetchQueries({ queryKey: KEY });

beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  failure = new Error('The server cannot be reached.');
  isHanging = false;
  asked = [];
  said = [];
  client.setQueryData(KEY, 'old');
  leave = new QueryObserver(client, { queryKey: KEY, queryFn: answer, staleTime: Infinity }).subscribe(() => undefined);
  // The shortest of each wait: half of it.
  resync = watchResync(
    client,
    (isBehind) => said.push(isBehind),
    () => 0,
  );
});
afterEach(() => {
  resync.stop();
  leave();
  client.clear();
  vi.useRealTimers();
});

describe('what is on screen and could not be fetched', () => {
  it('is fetched at growing intervals of half a minute at most, and at short ones after the next failure', async () => {
    await refetch();
    await advance(50);
    expect(waits()).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(said).toEqual([true]);
    failure = undefined;
    await advance(15);
    expect([client.getQueryData(KEY), said]).toEqual(['new', [true, false]]);
    await advance(120);
    expect(waits()).toHaveLength(8);

    failure = new Error('The server cannot be reached.');
    asked = [];
    await refetch();
    await advance(2);
    expect(waits()).toEqual([500, 1_000]);
  });

  it('waits up to twice as long by chance', async () => {
    resync.stop();
    resync = watchResync(
      client,
      () => undefined,
      () => 0.998,
    );
    await refetch();
    await advance(4);
    expect(waits()).toEqual([999, 1_998]);
  });

  it('is fetched at once when somebody asks for it, and not a second time by the wait before', async () => {
    await refetch();
    await advance(0.1);
    failure = undefined;
    resync.retry();
    await advance(10);
    expect(waits()).toEqual([100]);
    expect(said).toEqual([true, false]);
  });

  it('waits by its own failures, not by those of others', async () => {
    await refetch();
    await advance(20);
    const other = ['/api/folders'];
    const times: number[] = [];
    client.setQueryData(other, 'old');
    const fail = async (): Promise<string> => {
      times.push(Date.now());
      throw new Error('The server cannot be reached.');
    };
    const end = new QueryObserver(client, { queryKey: other, queryFn: fail, staleTime: Infinity }).subscribe(() => {});
    await client.refetchQueries({ queryKey: other });
    await advance(2);
    expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 500, 1_500]);
    end();
  });

  it('is not asked for again while an answer is awaited', async () => {
    await refetch();
    isHanging = true;
    void refetch();
    resync.retry();
    await advance(60);
    expect(asked).toHaveLength(2);
  });

  it.each([
    ['is repeated', 1],
    ['is asked for', 0.1],
  ])('is fetched on when a further page is being loaded while it %s', async (_when, after) => {
    const [key, pages] = [['/api/alerts/mine'], Promise.withResolvers<string>()];
    client.setQueryData(key, { pages: ['old'], pageParams: [0] });
    const list = new InfiniteQueryObserver(client, {
      queryKey: key,
      queryFn: ({ pageParam }): Promise<string> => (pageParam === 0 ? answer() : pages.promise),
      initialPageParam: 0,
      getNextPageParam: (_last: string, all: string[]) => all.length,
      staleTime: Infinity,
    });
    const end = list.subscribe(() => undefined);
    await client.refetchQueries({ queryKey: key });
    expect([asked.length, said]).toEqual([1, [true]]);
    failure = undefined;
    void list.fetchNextPage();
    await advance(after);
    if (after < 0.5) resync.retry();
    pages.resolve('more');
    await advance(1);
    expect([asked.length, said]).toEqual([2, [true, false]]);
    end();
  });

  it('is left alone once it has left the screen, or when nobody watches any more', async () => {
    await refetch();
    leave();
    await advance(60);
    expect([asked.length, said]).toEqual([1, [true, false]]);

    leave = new QueryObserver(client, { queryKey: KEY, queryFn: answer, staleTime: Infinity }).subscribe(() => {});
    await refetch();
    resync.stop();
    const before = asked.length;
    await advance(60);
    expect(asked).toHaveLength(before);
  });

  it.each([
    [401, false],
    [404, false],
    [408, true],
    [429, true],
    [499, false],
    [500, true],
    [503, true],
  ])('with the status %i it is fetched again: %s', async (status, isAgain) => {
    failure = new ApiError(status, 'No.', '');
    await refetch();
    await advance(0.5);
    expect([said, asked.length > 1]).toEqual([isAgain ? [true] : [], isAgain]);
  });

  it('is not repeated when it is a first load', async () => {
    const first = new QueryObserver(client, { queryKey: ['/api/folders'], queryFn: answer });
    const end = first.subscribe(() => undefined);
    await advance(60);
    expect([asked.length, said]).toEqual([1, []]);
    end();
  });
});
