import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { setWindowShown } from './page-shown.ts';
import { keepOutdated, readAgain, refetchSoon, refetchWhenShown, wasAskedSince } from './query-freshness.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const KEY = ['list'];

/** A client, and what its one query is answered: each call hands out the next promise. */
function setUp() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  keepOutdated(client);
  const answers: PromiseWithResolvers<string>[] = [];
  const observer = new QueryObserver(client, {
    queryKey: KEY,
    queryFn: ({ signal }) => {
      const answer = Promise.withResolvers<string>();
      signal.addEventListener('abort', () => answer.reject(new Error('given up')));
      answers.push(answer);
      return answer.promise;
    },
  });
  const query = () => {
    const found = client.getQueryCache().find({ queryKey: KEY });
    if (!found) throw new Error('There is no query.');
    return found;
  };
  const answer = async (text: string) => {
    answers.at(-1)?.resolve(text);
    await waitFor(() => expect(query().state).toMatchObject({ data: text, fetchStatus: 'idle' }));
  };
  return { client, answers, query, answer, open: () => observer.subscribe(() => undefined) };
}

const spied = () => {
  const client = new QueryClient();
  return { client, invalidate: vi.spyOn(client, 'invalidateQueries').mockResolvedValue(undefined) };
};

describe('what is outdated', () => {
  test('stays so when a live event is written into it, until the server answers', async () => {
    const { client, query, answer, open } = setUp();
    const leave = open();
    await answer('first');
    leave();
    await client.invalidateQueries({ queryKey: KEY, refetchType: 'none' });
    client.setQueryData(KEY, 'written');
    expect(query().state.isInvalidated).toBe(true);
    const close = open();
    await answer('second');
    expect(query().state.isInvalidated).toBe(false);
    close();
  });

  test('stays so when its screen is left before the answer, and is asked for again by the next', async () => {
    const { client, answers, query, answer, open } = setUp();
    const first = open();
    await answer('first');
    const before = performance.now();
    void client.refetchQueries({ queryKey: KEY });
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(wasAskedSince(query(), before)).toBe(true);
    first();
    await waitFor(() => expect(query().state.fetchStatus).toBe('idle'));
    expect(query().state.isInvalidated).toBe(true);
    expect(wasAskedSince(query(), before)).toBe(false);
    open();
    await waitFor(() => expect(answers).toHaveLength(3));
  });

  test('is what could not be read; a first load that failed is not asked for by itself', async () => {
    const { client, answers, query, answer, open } = setUp();
    open();
    const before = performance.now();
    answers[0]?.reject(new Error('away'));
    await waitFor(() => expect(query().state.status).toBe('error'));
    expect(wasAskedSince(query(), before - 1_000)).toBe(true);
    void client.refetchQueries({ queryKey: KEY });
    await answer('first');
    void client.refetchQueries({ queryKey: KEY });
    answers.at(-1)?.reject(new Error('away'));
    await waitFor(() => expect(query().state.status).toBe('error'));
    expect(query().state).toMatchObject({ data: 'first', isInvalidated: true });
    expect(wasAskedSince(query(), before)).toBe(false);
  });

  test('is no query whose answer came after the moment', async () => {
    const { query, answer, open } = setUp();
    const before = performance.now();
    open();
    await answer('first');
    expect(wasAskedSince(query(), before)).toBe(true);
    expect(wasAskedSince(query(), performance.now() + 1)).toBe(false);
  });
});

describe('while an answer is awaited', () => {
  test('it counts as asked for, unless another one is to follow it', async () => {
    const { client, answers, query, answer, open } = setUp();
    open();
    await answer('first');
    const before = performance.now();
    readAgain(client, { queryKey: KEY });
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(wasAskedSince(query(), before)).toBe(true);
    readAgain(client, { queryKey: KEY });
    expect(wasAskedSince(query(), before)).toBe(false);
  });

  test('any number of events restart nothing, and one more read follows', async () => {
    const { client, answers, query, answer, open } = setUp();
    open();
    await answer('first');
    for (let event = 0; event < 10; event += 1) readAgain(client, { queryKey: KEY });
    await waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.resolve('second');
    await waitFor(() => expect(answers).toHaveLength(3));
    expect(query().state).toMatchObject({ data: 'second', isInvalidated: true });
    await answer('third');
    expect([answers.length, query().state.isInvalidated]).toEqual([3, false]);
  });

  test('of a first load, what happens meanwhile is read after it', async () => {
    const { client, answers, query, answer, open } = setUp();
    open();
    readAgain(client, { queryKey: KEY });
    expect(answers).toHaveLength(1);
    answers[0]?.resolve('first');
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(query().state.data).toBe('first');
    await answer('second');
  });

  test('that fails, the read that follows is still made', async () => {
    const { client, answers, answer, open } = setUp();
    open();
    await answer('first');
    readAgain(client, { queryKey: KEY });
    readAgain(client, { queryKey: KEY });
    answers.at(-1)?.reject(new Error('given up'));
    await waitFor(() => expect(answers).toHaveLength(3));
    await answer('second');
  });

  test('what has left the screen meanwhile is read when it is shown again', async () => {
    const { client, answers, query, answer, open } = setUp();
    const leave = open();
    await answer('first');
    readAgain(client, { queryKey: KEY });
    readAgain(client, { queryKey: KEY });
    leave();
    await waitFor(() => expect(query().state.fetchStatus).toBe('idle'));
    expect([answers.length, query().state.isInvalidated]).toEqual([2, true]);
    open();
    await answer('second');
    expect([answers.length, query().state.isInvalidated]).toEqual([3, false]);
  });
});

describe('a refetch in a moment', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('is one for a burst, and the next one two seconds later', () => {
    const { client, invalidate } = spied();
    for (let count = 0; count < 100; count += 1) refetchSoon(client, KEY);
    vi.advanceTimersByTime(499);
    expect(invalidate).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    expect(invalidate).toHaveBeenCalledTimes(1);
    refetchSoon(client, KEY);
    refetchSoon(client, ['other']);
    vi.advanceTimersByTime(500);
    expect(invalidate.mock.calls.map(([filters]) => filters?.queryKey)).toEqual([KEY, ['other']]);
    vi.advanceTimersByTime(1_499);
    expect(invalidate).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1);
    expect(invalidate).toHaveBeenCalledTimes(3);
  });

  test('of what is only looked at waits until the page is shown', () => {
    const page = Object.assign(new EventTarget(), { visibilityState: 'hidden' });
    vi.stubGlobal('document', page);
    const { client, invalidate } = spied();
    refetchWhenShown(client, KEY);
    vi.advanceTimersByTime(60_000);
    refetchWhenShown(client, KEY);
    vi.advanceTimersByTime(60_000);
    page.dispatchEvent(new Event('visibilitychange'));
    expect(invalidate).toHaveBeenCalledTimes(0);
    page.visibilityState = 'visible';
    page.dispatchEvent(new Event('visibilitychange'));
    page.dispatchEvent(new Event('visibilitychange'));
    expect(invalidate).toHaveBeenCalledTimes(1);
    refetchWhenShown(client, KEY, 30_000);
    vi.advanceTimersByTime(500);
    expect(invalidate).toHaveBeenCalledTimes(2);
  });

  test('of what is only looked at waits in the desktop app, whose pages always count as visible, until its window is shown', () => {
    vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
    const { client, invalidate } = spied();
    setWindowShown(false);
    refetchWhenShown(client, KEY);
    vi.advanceTimersByTime(60_000);
    expect(invalidate).toHaveBeenCalledTimes(0);
    setWindowShown(true);
    expect(invalidate).toHaveBeenCalledTimes(1);
  });
});
