import { describe, expect, test, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { withoutOver, withoutShown } from './news-over.ts';
import { TOAST_REMOVAL_DELAY_MS, pruneRecent } from './recent-toasts.ts';
import {
  type NewsToast,
  type Toast,
  type ToastQueue,
  currentToast,
  describeNews,
  emptyToastQueue,
  newsOf,
  reduceToasts,
} from './toast-queue.ts';

const now = 1_000;
const signedIn = reduceToasts(emptyToastQueue, { type: 'sign-in', owner: 'mara' });
const show = (queue: ToastQueue, ...toasts: Toast[]) =>
  toasts.reduce((state, toast) => reduceToasts(state, { type: 'show', toast, now }), queue);
const dismiss = (queue: ToastQueue, at = now) =>
  reduceToasts(queue, { type: 'dismiss', id: currentToast(queue)?.id ?? -1, now: at });
const news = (...customers: (string | null)[]): Toast => ({ intent: 'news', title: 'New alert received', customers });
const accepted: Toast = { title: 'Alert accepted', action: { label: 'Undo', onSelect: () => undefined } };

const about = (...ids: string[]): Toast => ({
  intent: 'news',
  title: 'New alert received',
  customers: ids.map(() => null),
  subjects: ids.map((id) => ({ text: id, alertId: id })),
});
const afterShown = (queue: ToastQueue, ...ids: string[]) => withoutShown(queue, new Set(ids), now);

const afterOver = (queue: ToastQueue, ...ids: string[]) => withoutOver(queue, new Set(ids), now);

describe('results', () => {
  test('the newest result is the visible one; one that can be acted on comes back after it', () => {
    const queue = show(signedIn, accepted, { title: 'Copied to clipboard' });
    expect(currentToast(queue)?.title).toBe('Copied to clipboard');
    const after = dismiss(queue);
    expect(currentToast(after)?.title).toBe('Alert accepted');
    expect(currentToast(dismiss(after))).toBeNull();
  });

  test('one that cannot be acted on does not come back', () => {
    const queue = show(signedIn, { title: 'Copied to clipboard' }, news('Atlas Freight'), accepted);
    expect(currentToast(dismiss(queue))?.intent).toBe('news');
    expect(currentToast(dismiss(dismiss(queue)))).toBeNull();
  });

  test('a result takes the place of news at once', () => {
    expect(currentToast(show(signedIn, news('Kestrel Health'), accepted))?.title).toBe('Alert accepted');
  });

  test('the destructive variant is an error, the default one is done', () => {
    expect(currentToast(show(emptyToastQueue, { title: 'Error', variant: 'destructive' }))?.intent).toBe('error');
    expect(currentToast(show(emptyToastQueue, { title: 'Alert deleted' }))?.intent).toBe('done');
  });

  test('an update comes to the front, a quiet one stays where it is', () => {
    const queue = show(signedIn, accepted, { title: 'Error', variant: 'destructive' });
    const id = queue.shown[0]?.id ?? -1;
    const update = (isQuiet: boolean) =>
      reduceToasts(queue, { type: 'update', id, toast: { ...accepted, title: '2 accepted' }, isQuiet, now });
    expect(currentToast(update(false))).toMatchObject({ id, revision: 1, title: '2 accepted', quiet: false });
    expect(currentToast(update(true))?.title).toBe('Error');
    expect(currentToast(dismiss(update(true)))?.title).toBe('2 accepted');
    expect(reduceToasts(queue, { type: 'update', id: 99, toast: accepted, isQuiet: false, now })).toBe(queue);
  });
});

const titleOf = (...toasts: Toast[]) => currentToast(show(signedIn, ...toasts))?.title;

describe('news', () => {
  test('is shown when nothing else is', () => {
    expect(currentToast(show(signedIn, news('Nordwind Logistics')))?.description).toBe('Alert from Nordwind Logistics');
  });

  test('keeps its own description while it is of one alert', () => {
    const one: Toast = { intent: 'news', title: 'New alert received', description: 'Order 17 failed' };
    expect(currentToast(show(emptyToastQueue, one))?.description).toBe('Order 17 failed');
    expect(currentToast(show(emptyToastQueue, one, one))?.description).toBe('2 new alerts');
  });

  test('becomes one count under the same id, its time starting again', () => {
    const first = show(signedIn, news('Nordwind Logistics'));
    const storm = show(first, news('Atlas Freight'), news('Nordwind Logistics', null, 'Kestrel Health'));
    expect(currentToast(storm)).toMatchObject({ id: currentToast(first)?.id, revision: 2 });
    expect(currentToast(storm)?.description).toBe('5 new alerts from 3 customers');
    expect(storm.recent.map(({ description }) => description)).toEqual(['5 new alerts from 3 customers']);
  });

  test('never replaces a result: it waits, collapses, and has its turn', () => {
    const queue = show(emptyToastQueue, accepted, news('Atlas Freight'), news('Kestrel Health'));
    expect(currentToast(queue)?.title).toBe('Alert accepted');
    const next = dismiss(queue);
    expect(currentToast(next)?.description).toBe('2 new alerts from 2 customers');
    expect(next.waiting).toBeNull();
  });

  test('has the title of what all of it is', () => {
    const back: Toast = { intent: 'news', title: 'Snoozed alert is back', customers: ['Atlas Freight'] };
    expect(titleOf(back, back)).toBe('Snoozed alert is back');
    expect(titleOf(news('Atlas Freight'), back)).toBe('New alert received');
    expect(titleOf(back, news('Atlas Freight'))).toBe('New alert received');
    expect(titleOf(back, { ...back, title: 'Alert is flapping' })).toBe('New alert received');
  });

  test('goes once the screen shows every alert of it, also while it waits', () => {
    const queue = show(signedIn, about('1'), about('2', '3'));
    expect(currentToast(afterShown(queue, '1', '3'))?.description).toBe('3 new alerts');
    expect(currentToast(afterShown(queue, '1', '2', '3', '4'))).toBeNull();
    const waiting = show(signedIn, accepted, about('1', '5'));
    expect(currentToast(dismiss(afterShown(waiting, '1', '5')))).toBeNull();
    expect(currentToast(afterShown(waiting, '1', '5'))?.title).toBe('Alert accepted');
    // One alert keeps its toast. News of which nobody knows the alerts stays, and so do results.
    expect(currentToast(afterShown(show(signedIn, news(null)), '1'))?.title).toBe('New alert received');
  });

  test('goes on waiting while results cover each other', () => {
    const queue = show(emptyToastQueue, { title: 'Saved' }, news('Atlas Freight'), { title: 'Status updated' });
    expect(currentToast(queue)?.title).toBe('Status updated');
    expect(currentToast(dismiss(queue))?.description).toBe('Alert from Atlas Freight');
  });
});

describe('dismissal', () => {
  test('of a toast that is not there changes nothing', () => {
    const queue = show(emptyToastQueue, accepted);
    expect(reduceToasts(queue, { type: 'dismiss', id: 99, now })).toBe(queue);
  });

  test('keeps the toast for 1,000,000 ms and then forgets it', () => {
    const gone = dismiss(show(signedIn, accepted));
    const forget = (at: number) => pruneRecent(gone.recent, at).length;
    expect(currentToast(gone)).toBeNull();
    expect(forget(now + TOAST_REMOVAL_DELAY_MS - 1)).toBe(1);
    expect(forget(now + TOAST_REMOVAL_DELAY_MS)).toBe(0);
  });
});

describe('what is kept', () => {
  test('is at most fifty toasts, and of a storm the last three alerts', () => {
    const many = Array.from({ length: 60 }, (_, index): Toast => ({ title: `Result ${index}` }));
    const { recent } = show(signedIn, ...many);
    expect(recent).toHaveLength(50);
    expect(recent.at(-1)?.title).toBe('Result 59');
    const subjects = ['a', 'b', 'c', 'd'].map((text) => ({ text }));
    const storm: Toast = { intent: 'news', title: 'New alert received', customers: [null, null, null, null], subjects };
    expect(show(signedIn, storm).recent[0]?.subjects).toEqual(subjects.slice(1));
  });

  test('is nothing while nobody is signed in, and goes with the member', () => {
    expect(show(emptyToastQueue, accepted).recent).toEqual([]);
    const out = reduceToasts(show(signedIn, accepted, news('Atlas Freight')), { type: 'sign-out' });
    expect(out).toMatchObject({ shown: [], waiting: null, recent: [], owner: null });
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

const alertOf = (id: string, customer: string | null): Alert => makeAlert(id, { customer });

const arrived = (id: string, severity: Alert['severity']) => makeAlert(id, { severity, state: 'firing' });

test('counts what is critical and high of many arrivals, and names how one stands', () => {
  const one = newsOf([arrived('1', 'critical')]);
  const more = newsOf([arrived('2', 'high'), arrived('3', 'critical'), arrived('4', 'none')]);
  if (!one || !more) throw new Error('There is no news.');
  expect(show(emptyToastQueue, one).shown[0]?.subject).toMatchObject({ severity: 'critical', state: 'firing' });
  expect(show(emptyToastQueue, one, more).shown[0]?.news).toMatchObject({ alerts: 4, critical: 2, high: 1 });
});

test('counts an alert once that arrives again, as it is now', () => {
  const first = show(emptyToastQueue, newsOf([arrived('1', 'high')]) as NewsToast);
  const again = show(first, newsOf([{ ...arrived('1', 'critical'), customer: 'Nordwind' }]) as NewsToast);
  expect(currentToast(again)).toMatchObject({
    title: 'New alert received',
    description: 'Alert from Nordwind',
    subject: { alertId: '1', severity: 'critical' },
    news: { alerts: 1, critical: 1, high: 0 },
  });
  const more = show(again, newsOf([arrived('2', 'high')]) as NewsToast);
  expect(currentToast(more)).toMatchObject({
    description: '2 new alerts from Nordwind',
    news: { critical: 1, high: 1 },
  });
});

describe('news of what is over', () => {
  const three = show(
    signedIn,
    newsOf([
      { ...arrived('1', 'critical'), customer: 'Nordwind' },
      { ...arrived('2', 'high'), customer: 'Kestrel' },
      { ...arrived('3', 'high'), customer: 'Kestrel' },
    ]) as NewsToast,
  );

  test('counts what is left', () => {
    const left = afterOver(three, '1', 'another');
    expect(currentToast(left)).toMatchObject({
      id: currentToast(three)?.id,
      revision: currentToast(three)?.revision,
      description: '2 new alerts from Kestrel',
      news: { alerts: 2, critical: 0, high: 2 },
    });
    expect(currentToast(afterOver(left, '2'))).toMatchObject({
      description: 'Alert from Kestrel',
      subject: { alertId: '3' },
    });
    expect(afterOver(three, 'another')).toBe(three);
  });

  test('goes with the last, shown or not', () => {
    expect(currentToast(afterOver(three, '1', '2', '3'))).toBeNull();
    const waiting = show(signedIn, accepted, about('1', '2'));
    const left = afterOver(waiting, '1');
    expect(currentToast(left)?.title).toBe('Alert accepted');
    expect(currentToast(dismiss(left))?.description).toBe('A new webhook alert has arrived');
    const none = afterOver(left, '2');
    expect(currentToast(dismiss(none))).toBeNull();
    expect(none.recent.map(({ title, dismissedAt }) => [title, dismissedAt])).toEqual([
      ['Alert accepted', undefined],
      ['New alert received', now],
    ]);
  });
});

test('makes one toast of all arrivals, and none where nothing arrived', () => {
  expect(newsOf([alertOf('1', 'Nordwind'), alertOf('2', null)])).toEqual({
    intent: 'news',
    title: 'New alert received',
    description: 'Alert from Nordwind',
    customers: ['Nordwind', null],
    subjects: [
      { text: 'Alert from Nordwind', alertId: '1' },
      { text: 'Alert without a customer', alertId: '2' },
    ],
  });
  expect(newsOf([alertOf('3', null)])?.description).toBe('A new webhook alert has arrived');
  expect(newsOf([])).toBeUndefined();
});

test('news leads to its alert, and to the newest of several; a result that covers it does not keep it', () => {
  const opened: unknown[] = [];
  const onOpen = (id: string, isOne: boolean): void => void opened.push([id, isOne]);
  const newsAbout = (...ids: string[]): NewsToast => ({
    ...(newsOf(ids.map((id) => alertOf(id, null))) as NewsToast),
    onOpen,
  });
  const one = show(emptyToastQueue, newsAbout('1'));
  const many = show(one, newsAbout('2', '3'));
  for (const { shown } of [one, many]) shown[0]?.action?.onSelect();
  expect([one, many].map(({ shown }) => shown[0]?.action?.label)).toEqual(['Open', 'Show']);
  expect(opened).toEqual([
    ['1', true],
    ['3', false],
  ]);
  expect(show(many, { title: 'Alert accepted' }).shown.map(({ title }) => title)).toEqual(['Alert accepted']);
});

test('news leads to the newest alert in whatever order the alerts are announced', () => {
  const onOpen = vi.fn<(id: string, isOne: boolean) => void>();
  const newsAbout = (id: string): NewsToast => ({ ...(newsOf([alertOf(id, null)]) as NewsToast), onOpen });
  currentToast(show(show(emptyToastQueue, newsAbout('2')), newsAbout('1')))?.action?.onSelect();
  expect(onOpen.mock.calls).toEqual([['2', false]]);
});

const actionOf = (more: Partial<NewsToast>) =>
  currentToast(show(signedIn, { ...news('Kestrel Health'), ...more } as Toast))?.action;

test('news leads to an alert where it is known which, and somebody leads there', () => {
  const opened: [string, boolean][] = [];
  const onOpen = (alertId: string, isOne: boolean) => void opened.push([alertId, isOne]);
  const subjects = [{ alertId: 'one' } as never, { alertId: 'two' } as never];
  expect(actionOf({})).toBeUndefined();
  expect(actionOf({ onOpen })).toBeUndefined();
  expect(actionOf({ subjects: subjects.slice(0, 1) })).toBeUndefined();
  const one = actionOf({ subjects: subjects.slice(0, 1), onOpen });
  const many = actionOf({ subjects, customers: ['Kestrel Health', null], onOpen });
  expect([one?.label, many?.label]).toEqual(['Open', 'Show']);
  one?.onSelect();
  many?.onSelect();
  expect(opened).toEqual([
    ['one', true],
    ['two', false],
  ]);
});
