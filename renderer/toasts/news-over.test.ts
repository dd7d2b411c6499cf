import { expect, test } from 'vitest';
import { withoutOver } from './news-over.ts';
import { type Toast, type ToastQueue, emptyToastQueue, reduceToasts } from './toast-queue.ts';

const now = 1_000;
const signedIn = reduceToasts(emptyToastQueue, { type: 'sign-in', owner: 'mara' });
const show = (queue: ToastQueue, ...toasts: Toast[]) =>
  toasts.reduce((state, toast) => reduceToasts(state, { type: 'show', toast, now }), queue);
const accepted: Toast = { title: 'Alert accepted', action: { label: 'Undo', onSelect: () => undefined } };
const about = (...ids: string[]): Toast => ({
  intent: 'news',
  title: 'New alert received',
  customers: ids.map(() => null),
  subjects: ids.map((id) => ({ text: id, alertId: id })),
});

/** What is kept of news: what it says, of which alerts, and since when. */
const kept = ({ recent }: ToastQueue) =>
  recent
    .filter(({ intent }) => intent === 'news')
    .map(({ description, subjects, at }) => [description, subjects.map(({ alertId }) => alertId), at]);

test('what is kept of news names an alert once that arrives again, and loses no other one by it', () => {
  const again = show(signedIn, about('1', '2'), about('3'), about('1'), about('1'));
  expect(kept(again)).toEqual([['3 new alerts', ['2', '3', '1'], now]]);
});

test('what is kept of news counts an alert no more that is over, shown or not', () => {
  const shown = show(signedIn, about('1', '2', '3'));
  expect(kept(withoutOver(shown, new Set(['2']), now + 1))).toEqual([['2 new alerts', ['1', '3'], now]]);
  const waiting = show(signedIn, accepted, about('1', '2'));
  expect(kept(withoutOver(waiting, new Set(['1']), now + 1))).toEqual([
    ['A new webhook alert has arrived', ['2'], now],
  ]);
});
