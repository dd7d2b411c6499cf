import { describe, expect, it } from 'vitest';
import { type RecentText, TOAST_REMOVAL_DELAY_MS, closeRecent, pruneRecent, record } from './recent-toasts.ts';
import type { RecentToast } from './stored-recent.ts';

const text = (title: string, ...subjects: string[]): RecentText => ({
  title,
  subjects: subjects.map((subject) => ({ text: subject })),
});
const titles = (recent: readonly RecentToast[]): string[] => recent.map(({ title }) => title);

describe('what was shown', () => {
  it('grows where it is news of one toast, and is another entry where it is a result', () => {
    let recent = record([], 1, 'news', text('1 new alert', 'A'), 0);
    recent = record(recent, 1, 'news', text('4 new alerts', 'B', 'C', 'D'), 10);
    expect(recent).toMatchObject([{ id: 1, title: '4 new alerts', at: 10 }]);
    expect(recent[0]?.subjects.map((subject) => subject.text)).toEqual(['B', 'C', 'D']);
    recent = record(recent, 2, 'done', text('Alert accepted'), 20);
    recent = record(recent, 2, 'done', text('2 accepted'), 30);
    recent = record(recent, 3, 'news', text('1 new alert'), 40);
    expect(recent.map(({ id, title }) => [id, title])).toEqual([
      [1, '4 new alerts'],
      [2, 'Alert accepted'],
      [3, '2 accepted'],
      [4, '1 new alert'],
    ]);
  });

  it('has an id of its own, also after news that grew', () => {
    let recent = record(record([], 1, 'news', text('1 new alert'), 0), 2, 'done', text('Alert accepted'), 0);
    recent = record(record(recent, 1, 'news', text('2 new alerts'), 0), 3, 'done', text('Alert deleted'), 0);
    expect(recent.map(({ id, title }) => [id, title])).toEqual([
      [2, 'Alert accepted'],
      [1, '2 new alerts'],
      [3, 'Alert deleted'],
    ]);
  });

  it('is kept fifty times at most, the newest', () => {
    let recent: readonly RecentToast[] = [];
    for (let toastId = 1; toastId <= 52; toastId += 1) recent = record(recent, toastId, 'done', text(`${toastId}`), 0);
    expect([recent.length, titles(recent)[0], titles(recent).at(-1)]).toEqual([50, '3', '52']);
  });

  it('leaves some time after it was dismissed, and not while it is on screen', () => {
    let recent = record(record([], 1, 'done', text('dismissed'), 0), 2, 'done', text('on screen'), 0);
    recent = closeRecent(recent, [1], 100);
    expect(closeRecent(recent, [1], 500)).toBe(recent);
    expect(pruneRecent(recent, 100 + TOAST_REMOVAL_DELAY_MS - 1)).toBe(recent);
    expect(titles(pruneRecent(recent, 100 + TOAST_REMOVAL_DELAY_MS))).toEqual(['on screen']);
    expect(titles(record(recent, 3, 'done', text('later'), 100 + TOAST_REMOVAL_DELAY_MS))).toEqual([
      'on screen',
      'later',
    ]);
  });
});
