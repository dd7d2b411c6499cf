import { describe, expect, test } from 'vitest';
import {
  NEWS_INTERVAL_MS,
  TOAST_REMOVAL_DELAY_MS,
  type Toast,
  type ToastQueue,
  describeNews,
  emptyToastQueue,
  reduceToasts,
} from './toast-queue.ts';

const now = 1_000;
const show = (queue: ToastQueue, ...toasts: Toast[]) =>
  toasts.reduce((state, toast) => reduceToasts(state, { type: 'show', toast, now }), queue);
const dismiss = (queue: ToastQueue, at = now) =>
  reduceToasts(queue, { type: 'dismiss', id: queue.current?.id ?? -1, now: at });
const news = (...customers: (string | null)[]): Toast => ({ intent: 'news', title: 'New alert received', customers });
const accepted: Toast = { title: 'Alert accepted', action: { label: 'Undo', onSelect: () => undefined } };

describe('results', () => {
  test('the newest result is the one that is visible, the one before it is kept', () => {
    const queue = show(emptyToastQueue, accepted, { title: 'Status updated' });
    expect(queue.current?.title).toBe('Status updated');
    expect(queue.dismissed.map(({ title, dismissedAt }) => ({ title, dismissedAt }))).toEqual([
      { title: 'Alert accepted', dismissedAt: now },
    ]);
  });

  test('a result takes the place of news at once', () => {
    expect(show(emptyToastQueue, news('Kestrel Health'), accepted).current?.title).toBe('Alert accepted');
  });

  test('the destructive variant is an error, the default one is done', () => {
    expect(show(emptyToastQueue, { title: 'Error', variant: 'destructive' }).current?.intent).toBe('error');
    expect(show(emptyToastQueue, { title: 'Alert deleted' }).current?.intent).toBe('done');
  });
});

describe('news', () => {
  test('is shown when nothing else is', () => {
    const { current } = show(emptyToastQueue, news('Nordwind Logistics'));
    expect(current?.description).toBe('Alert from Nordwind Logistics');
  });

  test('keeps its own description while it tells of one alert', () => {
    const one: Toast = { intent: 'news', title: 'New alert received', description: 'Order 17 failed' };
    expect(show(emptyToastQueue, one).current?.description).toBe('Order 17 failed');
    expect(show(emptyToastQueue, one, one).current?.description).toBe('2 new alerts');
  });

  test('becomes one count under the same id, its time starting again', () => {
    const first = show(emptyToastQueue, news('Nordwind Logistics'));
    const storm = show(first, news('Atlas Freight'), news('Nordwind Logistics', null, 'Kestrel Health'));
    expect(storm.current).toMatchObject({ id: first.current?.id, revision: 2 });
    expect(storm.current?.description).toBe('5 new alerts from 3 customers');
    expect(storm.dismissed).toEqual([]);
  });

  test('never replaces a result: it waits, collapses, and has its turn', () => {
    const queue = show(emptyToastQueue, accepted, news('Atlas Freight'), news('Kestrel Health'));
    expect(queue.current?.title).toBe('Alert accepted');
    const next = dismiss(queue);
    expect(next.current?.description).toBe('2 new alerts from 2 customers');
    expect(next.waiting).toBeNull();
  });

  test('is announced when it appears and then at most every five seconds', () => {
    const quietAt = (at: number) =>
      reduceToasts(show(emptyToastQueue, news('Atlas Freight')), {
        type: 'show',
        toast: news('Kestrel Health'),
        now: at,
      }).current?.quiet;
    expect(show(emptyToastQueue, news('Atlas Freight')).current?.quiet).toBe(false);
    expect(quietAt(now + NEWS_INTERVAL_MS - 1)).toBe(true);
    expect(quietAt(now + NEWS_INTERVAL_MS)).toBe(false);
    expect(dismiss(show(emptyToastQueue, accepted, news('Atlas Freight'), news(null))).current?.quiet).toBe(false);
  });

  test('goes on waiting while results replace each other', () => {
    const queue = show(emptyToastQueue, accepted, news('Atlas Freight'), { title: 'Status updated' });
    expect(queue.current?.title).toBe('Status updated');
    expect(dismiss(queue).current?.description).toBe('Alert from Atlas Freight');
  });
});

describe('dismissal', () => {
  test('of a toast that is no longer visible changes nothing', () => {
    const queue = show(emptyToastQueue, accepted);
    expect(reduceToasts(queue, { type: 'dismiss', id: 99, now })).toBe(queue);
  });

  test('keeps the toast for 1,000,000 ms and then forgets it', () => {
    const gone = dismiss(show(emptyToastQueue, accepted));
    const forget = (at: number) => reduceToasts(gone, { type: 'forget', now: at }).dismissed.length;
    expect(gone.current).toBeNull();
    expect(forget(now + TOAST_REMOVAL_DELAY_MS - 1)).toBe(1);
    expect(forget(now + TOAST_REMOVAL_DELAY_MS)).toBe(0);
  });
});

test.each([
  [1, [], 'A new webhook alert has arrived'],
  [1, ['Oakline Retail'], 'Alert from Oakline Retail'],
  [3, [], '3 new alerts'],
  [3, ['Oakline Retail'], '3 new alerts from Oakline Retail'],
  [12, ['a', 'b', 'c', 'd', 'e'], '12 new alerts from 5 customers'],
])('%i alerts from %j read "%s"', (alerts, customers, words) => {
  expect(describeNews({ alerts, customers: new Set(customers) })).toBe(words);
});
