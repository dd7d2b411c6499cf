import { expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { withEnd } from './alert-list.ts';
import { type AlertPages, alertsOf, hasMore, isInLoadedRange, putAlert, shareAlerts, totalOf } from './alert-pages.ts';

const own = (id: string, status: Alert['status'] = 'accepted') => makeAlert(id, { status, ownerId: 'me' });

/** Pages of these rows; all but the last lead to the next. */
const pages = (...rows: Alert[][]): AlertPages => {
  const total = rows.flat().length;
  return {
    pages: rows.map((page, index) =>
      withEnd(index < rows.length - 1 ? { rows: page, total, next: 'on' } : { rows: page, total }),
    ),
    pageParams: rows.map(() => undefined),
  };
};
const drawn = (list: AlertPages) => alertsOf(list).map(({ id, status }) => `${id} ${status}`);

it('shows an alert once that moved down the order between the answers of two pages', () => {
  const first = pages([own('a4'), own('a3')], [own('a2'), own('a1')]);
  const refetched = pages([own('a4'), own('a3')], [own('a2'), own('a4', 'completed')]);
  expect(drawn(shareAlerts(first, refetched))).toEqual(['a3 accepted', 'a2 accepted', 'a4 completed']);
});

it('keeps the rows that did not change', () => {
  const before = pages([own('a2'), own('a1')]);
  const after = shareAlerts(before, pages([own('a2', 'completed'), own('a1')]));
  expect(alertsOf(after)[1]).toBe(alertsOf(before)[1]);
  expect(alertsOf(after)[0]).not.toBe(alertsOf(before)[0]);
});

it('moves an alert across pages by its new status, and counts it once', () => {
  const list = pages([own('a4'), own('a3')], [own('a2', 'in-progress'), own('a1', 'completed')]);
  const moved = putAlert(own('a4', 'in-progress'), 'status')(list);
  expect(drawn(moved)).toEqual(['a3 accepted', 'a4 in-progress', 'a2 in-progress', 'a1 completed']);
  expect(totalOf(moved)).toBe(4);
  expect(moved.pages.map(({ rows }) => rows.length)).toEqual([1, 3]);
});

it('goes on after a page of a search that found nothing but names the next', () => {
  const list: AlertPages = {
    pages: [
      withEnd({ rows: [own('a9'), own('a8')], total: 2, isAtLeast: true, next: 'a8' }),
      withEnd({ rows: [], total: 2, isAtLeast: true, next: 'a5' }),
    ],
    pageParams: [undefined, 'a8'],
  };
  expect(hasMore(list)).toBe(true);
  expect(isInLoadedRange(list, 'newest', own('a8'))).toBe(true);
  expect(isInLoadedRange(list, 'newest', own('a3'))).toBe(false);
  // What lies beyond comes with its page, and not twice.
  expect(drawn(putAlert(own('a3'))(list))).toEqual(['a9 accepted', 'a8 accepted']);
  const empty: AlertPages = { pages: list.pages.slice(1), pageParams: [undefined] };
  expect(hasMore(empty)).toBe(true);
  expect(isInLoadedRange(empty, 'newest', own('a3'))).toBe(false);
});

it('has everything once a page names no next', () => {
  const list = pages([own('a2')], []);
  expect(hasMore(list)).toBe(false);
  expect(isInLoadedRange(list, 'newest', own('a1'))).toBe(true);
  expect(drawn(putAlert(own('a1'))(list))).toEqual(['a2 accepted', 'a1 accepted']);
});
