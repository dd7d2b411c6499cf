import { describe, expect, it, test } from 'vitest';
import type { Alert, AlertSort } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { type AlertListView, isInView, pathOf, viewOf } from './list-view.ts';
import {
  type AlertPages,
  fitPages,
  hasMore,
  idsOf,
  isInLoadedRange,
  pageOf,
  placeAlerts,
  sharePages,
  totalOf,
} from './list-pages.ts';
import { type AlertPosition, compareAlerts } from './list-order.ts';

const ME = 'me';

describe('pathOf and viewOf', () => {
  it.each<[AlertListView, string]>([
    [{ list: 'inbox' }, '/api/alerts/inbox'],
    [{ list: 'mine', sort: 'newest' }, '/api/alerts/mine'],
    [
      { list: 'mine', sort: 'oldest', customer: 'Öl & Söhne' },
      '/api/alerts/mine?customer=%C3%96l+%26+S%C3%B6hne&sort=oldest',
    ],
    [{ list: 'folder', folderId: 'a/b?c', alertType: 'x' }, '/api/alerts/folder/a%2Fb%3Fc?alertType=x'],
    [
      { list: 'inbox', severity: ['none', 'critical'], source: 's1', sort: 'severity' },
      '/api/alerts/inbox?severity=critical&severity=none&source=s1&sort=severity',
    ],
    [{ list: 'all-folders', sort: 'severity' }, '/api/alerts/all-folders?sort=severity'],
    [{ list: 'all', q: 'a=b', status: 'completed' }, '/api/alerts/all?status=completed&q=a%3Db'],
  ])('%j is %s and back', (view, path) => {
    expect(pathOf(view)).toBe(path);
    expect(pathOf(viewOf(path) ?? { list: 'inbox' })).toBe(path);
  });

  it.each(['/api/alerts/facets', '/api/alerts/facets?list=inbox', '/api/alerts/stats', '/api/folders', undefined, 17])(
    '%s is no list',
    (path) => expect(viewOf(path)).toBeUndefined(),
  );
});

describe('isInView', () => {
  const mine = makeAlert('a', { status: 'accepted', ownerId: ME, customer: 'Nordwind', alertType: 'order' });

  it.each<[AlertListView, boolean | undefined]>([
    [{ list: 'inbox' }, false],
    [{ list: 'mine' }, true],
    [{ list: 'mine', customer: 'Nordwind', alertType: 'order' }, true],
    [{ list: 'mine', customer: 'nordwind' }, false],
    [{ list: 'mine', alertType: 'disk' }, false],
    [{ list: 'folder', folderId: 'f' }, false],
    [{ list: 'all-folders' }, false],
    [{ list: 'all', status: 'accepted' }, true],
    [{ list: 'all', status: 'pending' }, false],
    [{ list: 'all', q: 'anything' }, undefined],
    [{ list: 'all', q: 'anything', customer: 'Atlas' }, false],
  ])('my alert in %j: %s', (view, expected) => expect(isInView(view, ME, mine)).toBe(expected));

  it('files by owner and folder', () => {
    const filed = { ...mine, folderId: 'f' };
    expect(isInView({ list: 'folder', folderId: 'f' }, ME, filed)).toBe(true);
    expect(isInView({ list: 'folder', folderId: 'f' }, 'other', filed)).toBe(false);
    expect(isInView({ list: 'all-folders' }, ME, filed)).toBe(true);
    expect(isInView({ list: 'all-folders' }, 'other', filed)).toBe(false);
    expect(isInView({ list: 'mine' }, ME, filed)).toBe(false);
    expect(isInView({ list: 'inbox' }, ME, makeAlert('b'))).toBe(true);
  });
});

const own = (id: string, status: Alert['status'] = 'accepted') => makeAlert(id, { status, ownerId: 'me' });

/** A list, and its alerts. */
interface World {
  list: AlertPages;
  alerts: ReadonlyMap<string, Alert>;
}

/** Pages of these rows; all but the last lead to the next. */
const pages = (...rows: Alert[][]): World => {
  const total = rows.flat().length;
  return {
    list: {
      pages: rows.map((page, index) =>
        pageOf(index < rows.length - 1 ? { rows: page, total, next: 'on' } : { rows: page, total }),
      ),
      pageParams: rows.map(() => undefined),
    },
    alerts: new Map(rows.flat().map((one) => [one.id, one])),
  };
};

/** The list once an alert that belongs in it has become another. */
function put({ list, alerts }: World, after: Alert, sort?: AlertSort): World {
  const now = new Map(alerts).set(after.id, after);
  const placement = { id: after.id, before: alerts.get(after.id), after, belongs: true };
  return { list: placeAlerts(list, [placement], sort, (id) => now.get(id)), alerts: now };
}

const drawn = ({ list, alerts }: World) => idsOf(list).map((id) => `${id} ${alerts.get(id)?.status}`);

it('shows an alert once that moved down the order between the answers of two pages', () => {
  const first = pages([own('a4'), own('a3')], [own('a2'), own('a1')]);
  const refetched = pages([own('a4'), own('a3')], [own('a2'), own('a4', 'completed')]);
  expect(idsOf(sharePages(first.list, refetched.list))).toEqual(['a3', 'a2', 'a4']);
});

it('keeps the pages that did not change', () => {
  const before = pages([own('a4'), own('a3')], [own('a2'), own('a1')]).list;
  const after = sharePages(before, pages([own('a4'), own('a3')], [own('a2'), own('a0')]).list);
  expect(after.pages[0]).toBe(before.pages[0]);
  expect(after.pages[1]).not.toBe(before.pages[1]);
});

it('places many alerts at once as one after the other, and counts each that came or went', () => {
  const world = pages([own('a9'), own('a7'), own('a5')], [own('a3'), own('a1')]);
  const changes = [own('a8'), own('a6'), own('a2'), own('a0')];
  const oneByOne = changes.reduce((now, change) => put(now, change), world);
  const placements = [
    ...changes.map((after) => ({ id: after.id, before: undefined, after, belongs: true })),
    { id: 'a7', before: own('a7'), after: undefined, belongs: false },
  ];
  const alerts = new Map([...world.alerts, ...changes.map((one) => [one.id, one] as const)]);
  const together = placeAlerts(world.list, placements, undefined, (id) => alerts.get(id));
  expect(idsOf(together)).toEqual(idsOf(oneByOne.list).filter((id) => id !== 'a7'));
  expect(together.pages.map(({ ids }) => ids)).toEqual([
    ['a9', 'a8', 'a6', 'a5'],
    ['a3', 'a2', 'a1', 'a0'],
  ]);
  expect(together.pages[0]?.total).toBe(8);
  expect(placeAlerts(together, [], undefined, () => undefined)).toBe(together);
});

it('moves an alert across pages by its new status, and counts it once', () => {
  const list = pages([own('a4'), own('a3')], [own('a2', 'in-progress'), own('a1', 'completed')]);
  const moved = put(list, own('a4', 'in-progress'), 'status');
  expect(drawn(moved)).toEqual(['a3 accepted', 'a4 in-progress', 'a2 in-progress', 'a1 completed']);
  expect(totalOf(moved.list)).toBe(4);
  expect(moved.list.pages.map(({ ids }) => ids.length)).toEqual([1, 3]);
});

it('goes on after a page of a search that found nothing but names the next', () => {
  const found = [own('a9'), own('a8')];
  const list: AlertPages = {
    pages: [
      pageOf({ rows: found, total: 2, isAtLeast: true, next: 'a8' }),
      pageOf({ rows: [], total: 2, isAtLeast: true, next: 'a5' }),
    ],
    pageParams: [undefined, 'a8'],
  };
  expect(hasMore(list)).toBe(true);
  expect(isInLoadedRange(list, 'newest', own('a8'))).toBe(true);
  expect(isInLoadedRange(list, 'newest', own('a3'))).toBe(false);
  // What lies beyond comes with its page, and not twice.
  const alerts = new Map(found.map((one) => [one.id, one]));
  expect(drawn(put({ list, alerts }, own('a3')))).toEqual(['a9 accepted', 'a8 accepted']);
  const empty: AlertPages = { pages: list.pages.slice(1), pageParams: [undefined] };
  expect(hasMore(empty)).toBe(true);
  expect(isInLoadedRange(empty, 'newest', own('a3'))).toBe(false);
});

describe('fitPages', () => {
  const limits = { page: 2, below: 2 };
  const rows = ['a9', 'a8', 'a7', 'a6', 'a5', 'a4', 'a3'].map((id) => own(id));

  it('divides a page that grew, so that each part can be read again from its cursor', () => {
    const fit = fitPages(pages(rows).list, 'newest', 7, limits, own);
    expect(fit.pages.map(({ ids, next }) => [ids, next])).toEqual([
      [['a9', 'a8'], 'a8'],
      [['a7', 'a6'], 'a6'],
      [['a5', 'a4'], 'a4'],
      [['a3'], undefined],
    ]);
    expect(fit.pageParams).toEqual([undefined, 'a8', 'a6', 'a4']);
    expect(isInLoadedRange({ ...fit, pages: fit.pages.slice(0, 2) }, 'newest', own('a5'))).toBe(false);
  });

  it('drops what is far below, and still counts it', () => {
    const fit = fitPages(pages(rows).list, 'newest', 1, limits, own);
    expect(idsOf(fit)).toEqual(['a9', 'a8', 'a7', 'a6']);
    expect([totalOf(fit), hasMore(fit)]).toEqual([7, true]);
    expect(fitPages(fit, 'newest', 1, limits, own)).toBe(fit);
  });

  it('keeps what is looked at, and whole pages where a cursor is more than an id', () => {
    const list = pages(rows.slice(0, 3), rows.slice(3)).list;
    expect(idsOf(fitPages(list, 'status', 6, limits, own))).toHaveLength(7);
    expect(idsOf(fitPages(list, 'status', 0, limits, own))).toEqual(['a9', 'a8', 'a7']);
  });
});

it('has everything once a page names no next', () => {
  const world = pages([own('a2')], []);
  expect(hasMore(world.list)).toBe(false);
  expect(isInLoadedRange(world.list, 'newest', own('a1'))).toBe(true);
  expect(drawn(put(world, own('a1')))).toEqual(['a2 accepted', 'a1 accepted']);
});

const alerts: AlertPosition[] = [
  { id: '1', status: 'completed', severity: 'info', state: 'firing' },
  { id: '2', status: 'pending', severity: 'critical', state: 'acknowledged' },
  { id: '3', status: 'accepted', severity: 'none', state: 'event' },
  { id: '4', status: 'in-progress', severity: 'critical', state: 'firing' },
  { id: '5', status: 'accepted', severity: 'high', state: 'resolved' },
  { id: '6', status: 'completed', severity: 'info', state: 'acknowledged' },
];
const idsBy = (sort: Parameters<typeof compareAlerts>[0]) =>
  alerts.toSorted((one, other) => compareAlerts(sort, one, other)).map(({ id }) => id);

test('by status: accepted, in progress, completed, any other last; newest first among equals', () => {
  expect(idsBy('status')).toEqual(['5', '3', '4', '6', '1', '2']);
});

test('by severity: the highest first, acknowledged after firing, resolved last; newest first among equals', () => {
  expect(idsBy('severity')).toEqual(['4', '2', '1', '6', '3', '5']);
});

const firing = (id: string, severity: Alert['severity']) => makeAlert(id, { severity, state: 'firing' });
const states = ({ list, alerts: known }: World) => idsOf(list).map((id) => `${id} ${known.get(id)?.state}`);

test('an alert that is resolved keeps its place, others find theirs around it, and it returns to its own', () => {
  const world = pages([firing('a3', 'critical'), firing('a2', 'critical'), firing('a1', 'info')]);
  const resolved = put(world, makeAlert('a3', { severity: 'critical', state: 'resolved' }), 'severity');
  expect(states(resolved)).toEqual(['a3 resolved', 'a2 firing', 'a1 firing']);
  expect(states(put(resolved, firing('a4', 'high'), 'severity'))).toEqual([
    'a3 resolved',
    'a2 firing',
    'a4 firing',
    'a1 firing',
  ]);
  const acknowledged = put(world, makeAlert('a2', { severity: 'critical', state: 'acknowledged' }), 'severity');
  expect(states(acknowledged)).toEqual(['a3 firing', 'a2 acknowledged', 'a1 firing']);
  expect(states(put(resolved, firing('a3', 'critical'), 'severity'))).toEqual(states(world));
});

const alert = (id: string, severity: Alert['severity']) => makeAlert(id, { severity });

test('an alert whose severity changes moves in the order by severity, and enters or leaves lists of severities', () => {
  const world = pages([alert('a3', 'high'), alert('a1', 'high'), alert('a2', 'info')]);
  const ids = (severity: Alert['severity']) => idsOf(put(world, alert('a2', severity), 'severity').list);
  expect([ids('critical'), ids('high'), ids('none')]).toEqual([
    ['a2', 'a3', 'a1'],
    ['a3', 'a2', 'a1'],
    ['a3', 'a1', 'a2'],
  ]);
  expect(isInView({ list: 'inbox', severity: ['critical', 'high'] }, ME, alert('a2', 'high'))).toBe(true);
  expect(isInView({ list: 'inbox', severity: ['critical', 'high'] }, ME, alert('a2', 'low'))).toBe(false);
});

test('by age, newest first by default', () => {
  expect(idsBy(undefined)).toEqual(['6', '5', '4', '3', '2', '1']);
  expect(idsBy('oldest')).toEqual(['1', '2', '3', '4', '5', '6']);
});
