import { expect, it } from 'vitest';
import { GROUP_TAG, type Arrivals, admitArrivals, createNoticeState } from './notice-state.ts';

/** How many of each arrival are announced one by one: pairs of a moment in seconds and a count. */
function singles(...arriving: [at: number, count: number][]): number[] {
  let arrivals: Arrivals = [];
  return arriving.map(([at, count]) => {
    const admitted = admitArrivals(arrivals, count, at * 1000);
    arrivals = admitted.arrivals;
    return admitted.single;
  });
}

it('announces three alerts in ten seconds one by one, and groups the rest', () => {
  expect(singles([0, 1], [1, 1], [2, 1], [3, 1], [4, 5])).toEqual([1, 1, 1, 0, 0]);
  expect(singles([0, 12])).toEqual([3]);
  expect(singles([0, 2], [1, 2])).toEqual([2, 1]);
});

it('announces them one by one again when ten seconds were calm', () => {
  expect(singles([0, 3], [9.999, 1], [19, 1], [20, 1], [30, 3])).toEqual([3, 0, 1, 1, 3]);
  expect(singles([0, 3], [10, 3])).toEqual([3, 3]);
});

it('keeps on grouping while a storm goes on, however slow', () => {
  const storm = Array.from({ length: 20 }, (_, second): [number, number] => [second, 1]);
  expect(singles(...storm).reduce((sum, single) => sum + single)).toBe(3);
});

it('does not take a clock that was set back for a storm', () => {
  expect(singles([1000, 3], [0, 1])).toEqual([3, 1]);
});

it('closes the count of several alerts where it counts no more than those that are over', async () => {
  const shown = new Map<string, unknown>();
  const state = createNoticeState({
    showNotification: async (_title, { tag = '', data } = {}) => void shown.set(tag, data),
    getNotifications: async () => [...shown].map(([tag, data]) => ({ tag, data, close: () => shown.delete(tag) })),
  });
  await state.notifyMany({ count: 4, isMore: false, body: '' });
  await state.close([GROUP_TAG], 3);
  expect([...shown.keys()]).toEqual([GROUP_TAG]);
  await state.close([GROUP_TAG], 4);
  expect([...shown.keys()]).toEqual([]);
});

it('closes with an alert what says that nobody has taken it, and no other notice', async () => {
  const shown = new Map<string, unknown>();
  const state = createNoticeState({
    showNotification: async (_title, { tag = '', data } = {}) => void shown.set(tag, data),
    getNotifications: async () => [...shown].map(([tag, data]) => ({ tag, data, close: () => shown.delete(tag) })),
  });
  const show = (tag: string, more: object = {}) =>
    state.show({ title: '', body: '', tag, path: '/alert/1-2', ...more });
  await show('12');
  await show('called', { untakenAlertId: '1-2' });
  await show('later', { untakenAlertId: '3-4' });
  await show('mentioned');
  await state.close(['12']);
  expect([...shown.keys()]).toEqual(['later', 'mentioned']);
});
