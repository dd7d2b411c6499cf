import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { learnPage } from '#renderer/alerts/data/alert-queries.ts';
import { alertStoreOf, listedAlerts } from '#renderer/alerts/data/list-cache.ts';
import { type AlertListPath, type AlertListView, pathOf } from '#renderer/alerts/data/list-view.ts';
import { type AlertPages, totalOf } from '#renderer/alerts/data/list-pages.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { applyEvents } from './apply-event.ts';

const ME = 'me';

/** A list as the server answers it. */
interface Listed {
  rows: Alert[];
  total: number;
  next?: string;
}

const list = (rows: Alert[], next?: string, total = rows.length): Listed => ({
  rows,
  total,
  ...(next !== undefined && { next }),
});

/** Lists that were counted. */
let recounted: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  recounted = [];
  vi.stubGlobal('fetch', (path: string) => {
    recounted.push(path.replace(/[?&]limit=1$/, ''));
    return Promise.resolve(new Response('[]', { headers: { 'X-Total-Count': '9' } }));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function screen(inbox: Listed, mine: Listed = list([])) {
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, { id: ME } as never);
  const store = alertStoreOf(client);
  const load = (path: AlertListPath, page: Listed): void =>
    void client.setQueryData<AlertPages>([path], {
      pages: [learnPage(client, page, store.moment())],
      pageParams: [undefined],
    });
  load('/api/alerts/inbox', inbox);
  load('/api/alerts/mine', mine);
  const invalidated = vi.spyOn(client, 'invalidateQueries');
  const asked = (): unknown[] => invalidated.mock.calls.splice(0).map(([filters]) => filters?.queryKey?.[0]);
  const departed: [string, string | null][] = [];
  const current = new Set<AlertListPath>();
  const listed = (path: AlertListPath): readonly Alert[] => listedAlerts(client, path) ?? [];
  return {
    store,
    /** Lists that were asked for after the greeting came. */
    current,
    departed,
    /** Lists that were fetched again at once. */
    refetched: asked,
    /** Lists that were fetched again a moment later. */
    unsure: async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return asked();
    },
    /** Lists that were counted, once it has become quiet. */
    counted: async () => {
      await vi.advanceTimersByTimeAsync(1000);
      return recounted;
    },
    apply: (...events: LiveEvent[]) =>
      applyEvents(events, {
        client,
        me: ME,
        isCurrent: (path) => current.has(path),
        depart: (id, name) => departed.push([id, name]),
      }),
    /** Shows one more list, with what it has. */
    show: (view: AlertListView, page: Listed) => {
      const path = pathOf(view);
      load(path, page);
      return () => listed(path).map(({ id }) => id);
    },
    inbox: () => listed('/api/alerts/inbox').map(({ id }) => id),
    mine: () => listed('/api/alerts/mine').map(({ id, status }) => `${id} ${status}`),
    counts: () =>
      ['inbox', 'mine'].map((name) =>
        totalOf(client.getQueryData<AlertPages>([`/api/alerts/${name}`]) ?? { pages: [], pageParams: [] }),
      ),
  };
}

const own = (id: string, status: Alert['status'] = 'accepted') => makeAlert(id, { status, ownerId: ME });

const accepted = (alertId: string, ownerId = 'other'): LiveEvent => ({
  type: 'alert_accepted',
  alertId,
  ownerId,
  ownerName: 'Jonas Okafor',
});

describe('applyEvents', () => {
  it('puts a new alert on top of the inbox, once', () => {
    const { apply, inbox, counts } = screen(list([makeAlert('a2'), makeAlert('a1')]));
    apply({ type: 'new_alert', alert: makeAlert('a3') }, { type: 'new_alert', alert: makeAlert('a3') });
    expect(inbox()).toEqual(['a3', 'a2', 'a1']);
    expect(counts()).toEqual([3, 0]);
  });

  it('takes an alert that someone else accepted out of the inbox and reports who it was', () => {
    const { apply, inbox, mine, departed } = screen(list([makeAlert('a2'), makeAlert('a1')]));
    apply(accepted('a2'));
    expect(inbox()).toEqual(['a1']);
    expect(mine()).toEqual([]);
    expect(departed).toEqual([['a2', 'Jonas Okafor']]);
  });

  it('moves an alert that I accepted in another tab to my queue', () => {
    const { apply, inbox, mine, departed, refetched } = screen(list([makeAlert('a2')]));
    apply(accepted('a2', ME));
    expect(inbox()).toEqual([]);
    expect(mine()).toEqual(['a2 accepted']);
    expect(departed).toEqual([]);
    expect(refetched()).toEqual([]);
  });

  it('finds the alert that I accepted even when it arrived in the same frame', () => {
    const { apply, inbox, mine } = screen(list([]));
    apply({ type: 'new_alert', alert: makeAlert('a1') }, accepted('a1', ME));
    expect(inbox()).toEqual([]);
    expect(mine()).toEqual(['a1 accepted']);
  });

  it('fetches my queue when I accepted an alert that is not loaded here', () => {
    const { apply, refetched } = screen(list([makeAlert('a5')], 'a5', 9));
    apply(accepted('a2', ME));
    expect(refetched()).toEqual(['/api/alerts/mine']);
  });

  it('does not undo a status that I set before the event of my acceptance came', () => {
    const { apply, mine } = screen(list([]), list([makeAlert('a1', { status: 'in-progress', ownerId: ME })]));
    apply(accepted('a1', ME));
    expect(mine()).toEqual(['a1 in-progress']);
  });

  it('returns an unaccepted alert to its place by age, unless it is there or older than what is loaded', async () => {
    const { apply, inbox, counted } = screen(list([makeAlert('a5'), makeAlert('a3')], 'a3', 9));
    apply(
      { type: 'alert_unaccepted', alert: makeAlert('a4') },
      { type: 'alert_unaccepted', alert: makeAlert('a4') },
      { type: 'alert_unaccepted', alert: makeAlert('a1') },
    );
    expect(inbox()).toEqual(['a5', 'a4', 'a3']);
    expect(await counted()).toEqual(['/api/alerts/inbox']);
  });

  it('updates my alert, and lets go of one that went into a folder or is not mine', () => {
    const mineNow = [
      makeAlert('a2', { status: 'accepted', ownerId: ME }),
      makeAlert('a1', { status: 'accepted', ownerId: ME }),
    ];
    const { apply, mine } = screen(list([]), list(mineNow));
    apply(
      { type: 'alert_updated', alert: makeAlert('a2', { status: 'completed', ownerId: ME }) },
      { type: 'alert_updated', alert: makeAlert('a1', { status: 'accepted', ownerId: ME, folderId: 'f' }) },
      { type: 'alert_updated', alert: makeAlert('a0', { status: 'accepted', ownerId: 'other' }) },
    );
    expect(mine()).toEqual(['a2 completed']);
  });

  it('has an alert in my queue with the status that it got when I accepted it elsewhere', () => {
    const { apply, inbox, mine } = screen(list([makeAlert('a2'), makeAlert('a1')]), list([]));
    apply({
      type: 'alerts_changed',
      change: 'accepted',
      alertIds: ['a2'],
      versions: [2],
      ownerId: ME,
      ownerName: 'Me',
      status: 'completed',
    });
    expect([inbox(), mine()]).toEqual([['a1'], ['a2 completed']]);
  });

  it('takes a deleted alert out of both lists', () => {
    const { apply, inbox, mine } = screen(list([makeAlert('a1')]), list([makeAlert('a2', { status: 'accepted' })]));
    apply({ type: 'alert_deleted', alertId: 'a1' }, { type: 'alert_deleted', alertId: 'a2' });
    expect([inbox(), mine()]).toEqual([[], []]);
  });

  it('fetches both lists again on hello', () => {
    const { apply, refetched } = screen(list([]));
    apply({ type: 'hello', version: '1.0.3', inboxCount: 0 });
    expect(refetched()).toEqual(['/api/alerts/inbox', '/api/alerts/mine']);
  });

  it('fetches the named lists again when many alerts changed at once, of others only the list of all', () => {
    const { apply, show, refetched } = screen(list([]));
    show({ list: 'folder', folderId: 'f' }, list([]));
    show({ list: 'mine', sort: 'oldest' }, list([]));
    show({ list: 'all', status: 'completed' }, list([]));
    const lists: ('mine' | 'folder' | 'all')[] = ['mine', 'folder', 'all'];
    apply({ type: 'lists_changed', lists, ownerId: 'other' });
    expect(refetched()).toEqual(['/api/alerts/all?status=completed']);
    apply({ type: 'lists_changed', lists, ownerId: ME });
    expect(refetched()).toEqual([
      '/api/alerts/mine',
      '/api/alerts/folder/f',
      '/api/alerts/mine?sort=oldest',
      '/api/alerts/all?status=completed',
    ]);
  });

  it('shows a new alert only where the filter lets it through', () => {
    const { apply, inbox, show } = screen(list([]));
    const nordwind = show({ list: 'inbox', customer: 'Nordwind' }, list([]));
    const orders = show({ list: 'inbox', customer: 'Nordwind', alertType: 'order' }, list([]));
    apply(
      { type: 'new_alert', alert: makeAlert('a1', { customer: 'Nordwind', alertType: 'disk' }) },
      { type: 'new_alert', alert: makeAlert('a2', { customer: 'Atlas', alertType: 'order' }) },
      { type: 'new_alert', alert: makeAlert('a3', { customer: 'Nordwind', alertType: 'order' }) },
    );
    expect(inbox()).toEqual(['a3', 'a2', 'a1']);
    expect(nordwind()).toEqual(['a3', 'a1']);
    expect(orders()).toEqual(['a3']);
  });

  it('keeps each list in its own order', () => {
    const { apply, show } = screen(list([makeAlert('a2')]));
    const oldest = show({ list: 'mine', sort: 'oldest' }, list([own('a1'), own('a3', 'in-progress')]));
    const byStatus = show({ list: 'mine', sort: 'status' }, list([own('a1'), own('a3', 'in-progress')]));
    apply(accepted('a2', ME));
    expect(oldest()).toEqual(['a1', 'a2', 'a3']);
    expect(byStatus()).toEqual(['a2', 'a1', 'a3']);
    apply({ type: 'alert_updated', alert: own('a2', 'completed') });
    expect(oldest()).toEqual(['a1', 'a2', 'a3']);
    expect(byStatus()).toEqual(['a1', 'a3', 'a2']);
  });

  it('lets an alert go that moves beyond what is loaded, without losing count of it', async () => {
    const { apply, show, counted } = screen(list([]));
    const byStatus = show({ list: 'mine', sort: 'status' }, list([own('a3'), own('a1')], 'cursor', 9));
    apply({ type: 'alert_updated', alert: own('a3', 'completed') });
    expect(byStatus()).toEqual(['a1']);
    expect(await counted()).toEqual([]);
    apply({ type: 'alert_updated', alert: own('a2') });
    expect(byStatus()).toEqual(['a2', 'a1']);
    // Whether it was counted before, is not known here.
    expect(await counted()).toEqual(['/api/alerts/mine?sort=status']);
  });

  it('moves an alert between queue and folders', () => {
    const filed = makeAlert('a1', { status: 'accepted', ownerId: ME, folderId: 'f' });
    const { folderId: _folder, ...loose } = filed;
    const { apply, mine, show } = screen(list([]), list([loose]));
    const inFolder = show({ list: 'folder', folderId: 'f' }, list([]));
    const inOther = show({ list: 'folder', folderId: 'g' }, list([]));
    const inAny = show({ list: 'all-folders' }, list([]));
    apply({ type: 'alert_updated', alert: filed });
    expect([mine(), inFolder(), inOther(), inAny()]).toEqual([[], ['a1'], [], ['a1']]);
    apply({ type: 'alert_updated', alert: { ...filed, folderId: 'g' } });
    expect([inFolder(), inOther(), inAny()]).toEqual([[], ['a1'], ['a1']]);
    apply({ type: 'alert_updated', alert: filed });
    apply({ type: 'alert_unaccepted', alert: makeAlert('a1') });
    expect([inFolder(), inAny()]).toEqual([[], []]);
  });

  it('asks the server what only a search knows, and leaves what it found in place', async () => {
    const { apply, show, unsure } = screen(list([]));
    const found = show({ list: 'all', q: 'disk' }, list([makeAlert('a1')]));
    apply({ type: 'alert_updated', alert: makeAlert('a1', { status: 'completed', ownerId: 'other' }) });
    expect(await unsure()).not.toContain('/api/alerts/all?q=disk');
    apply({ type: 'new_alert', alert: makeAlert('a2') });
    expect(found()).toEqual(['a1']);
    expect(await unsure()).toContain('/api/alerts/all?q=disk');
  });
});
