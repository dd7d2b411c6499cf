import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { withEnd } from '#renderer/alerts/data/alert-queries.ts';
import {
  type AlertListPath,
  type AlertListView,
  type AlertPages,
  alertsOf,
  pathOf,
  totalOf,
} from '#renderer/alerts/data/list-model.ts';
import type { AlertBefore } from '#renderer/alerts/data/list-cache.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { applyEvents } from './apply-event.ts';

const ME = 'me';

const list = (rows: Alert[], next?: string, total = rows.length): AlertPages => ({
  pages: [withEnd(next === undefined ? { rows, total } : { rows, total, next })],
  pageParams: [undefined],
});

function screen(inbox: AlertPages, mine: AlertPages = list([])) {
  const client = new QueryClient();
  client.setQueryData(['/api/alerts/inbox'], inbox);
  client.setQueryData(['/api/alerts/mine'], mine);
  const refetched: AlertListPath[] = [];
  const unsure: AlertListPath[] = [];
  const recounted: AlertListPath[] = [];
  const changed: [AlertBefore, Alert | undefined][] = [];
  const departed: [string, string][] = [];
  const current = new Set<AlertListPath>();
  const read = (path: AlertListPath): AlertPages => client.getQueryData<AlertPages>([path]) ?? list([]);
  return {
    /** Lists that were asked for after the greeting came. */
    current,
    refetched,
    unsure,
    changed,
    recounted,
    departed,
    apply: (...events: LiveEvent[]) =>
      applyEvents(events, {
        client,
        me: ME,
        isCurrent: (path) => current.has(path),
        refetch: (path) => refetched.push(path),
        refetchSoon: (path) => unsure.push(path),
        recount: (path) => recounted.push(path),
        depart: (id, name) => departed.push([id, name]),
        changed: (before, after) => changed.push([before, after]),
      }),
    /** Shows one more list, with what it has. */
    show: (view: AlertListView, pages: AlertPages) => {
      const path = pathOf(view);
      client.setQueryData([path], pages);
      return () => alertsOf(read(path)).map(({ id }) => id);
    },
    inbox: () => alertsOf(read('/api/alerts/inbox')).map(({ id }) => id),
    mine: () => alertsOf(read('/api/alerts/mine')).map(({ id, status }) => `${id} ${status}`),
    counts: () => [totalOf(read('/api/alerts/inbox')), totalOf(read('/api/alerts/mine'))],
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
    expect(refetched).toEqual([]);
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
    expect(refetched).toEqual(['/api/alerts/mine']);
  });

  it('does not undo a status that I set before the event of my acceptance came', () => {
    const { apply, mine } = screen(list([]), list([makeAlert('a1', { status: 'in-progress', ownerId: ME })]));
    apply(accepted('a1', ME));
    expect(mine()).toEqual(['a1 in-progress']);
  });

  it('returns an unaccepted alert to its place by age, unless it is there or older than what is loaded', () => {
    const { apply, inbox, recounted } = screen(list([makeAlert('a5'), makeAlert('a3')], 'a3', 9));
    apply(
      { type: 'alert_unaccepted', alert: makeAlert('a4') },
      { type: 'alert_unaccepted', alert: makeAlert('a4') },
      { type: 'alert_unaccepted', alert: makeAlert('a1') },
    );
    expect(inbox()).toEqual(['a5', 'a4', 'a3']);
    expect(recounted).toEqual(['/api/alerts/inbox']);
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

  it('takes a deleted alert out of both lists', () => {
    const { apply, inbox, mine } = screen(list([makeAlert('a1')]), list([makeAlert('a2', { status: 'accepted' })]));
    apply({ type: 'alert_deleted', alertId: 'a1' }, { type: 'alert_deleted', alertId: 'a2' });
    expect([inbox(), mine()]).toEqual([[], []]);
  });

  it('fetches both lists again on hello', () => {
    const { apply, refetched } = screen(list([]));
    apply({ type: 'hello', version: '1.0.3', inboxCount: 0 });
    expect(refetched).toEqual(['/api/alerts/inbox', '/api/alerts/mine']);
  });

  it('fetches the named lists again when many alerts changed at once, of others only the list of all', () => {
    const { apply, show, refetched } = screen(list([]));
    show({ list: 'folder', folderId: 'f' }, list([]));
    show({ list: 'mine', sort: 'oldest' }, list([]));
    show({ list: 'all', status: 'completed' }, list([]));
    const lists: ('mine' | 'folder' | 'all')[] = ['mine', 'folder', 'all'];
    apply({ type: 'lists_changed', lists, ownerId: 'other' });
    expect(refetched.splice(0)).toEqual(['/api/alerts/all?status=completed']);
    apply({ type: 'lists_changed', lists, ownerId: ME });
    expect(refetched).toEqual([
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

  it('lets an alert go that moves beyond what is loaded, without losing count of it', () => {
    const { apply, show, recounted } = screen(list([]));
    const byStatus = show({ list: 'mine', sort: 'status' }, list([own('a3'), own('a1')], 'cursor', 9));
    apply({ type: 'alert_updated', alert: own('a3', 'completed') });
    expect(byStatus()).toEqual(['a1']);
    expect(recounted).toEqual([]);
    apply({ type: 'alert_updated', alert: own('a2') });
    expect(byStatus()).toEqual(['a2', 'a1']);
    // Whether it was counted before, is not known here.
    expect(recounted).toEqual(['/api/alerts/mine?sort=status']);
  });

  it('moves an alert between queue and folders', () => {
    const filed = makeAlert('a1', { status: 'accepted', ownerId: ME, folderId: 'f' });
    const { folderId: _folder, ...loose } = filed;
    const { apply, mine, show, changed } = screen(list([]), list([loose]));
    const inFolder = show({ list: 'folder', folderId: 'f' }, list([]));
    const inOther = show({ list: 'folder', folderId: 'g' }, list([]));
    const inAny = show({ list: 'all-folders' }, list([]));
    apply({ type: 'alert_updated', alert: filed });
    expect([mine(), inFolder(), inOther(), inAny()]).toEqual([[], ['a1'], [], ['a1']]);
    expect(changed).toEqual([[loose, filed]]);
    apply({ type: 'alert_updated', alert: { ...filed, folderId: 'g' } });
    expect([inFolder(), inOther(), inAny()]).toEqual([[], ['a1'], ['a1']]);
    apply({ type: 'alert_updated', alert: filed });
    apply({ type: 'alert_unaccepted', alert: makeAlert('a1') });
    expect([inFolder(), inAny()]).toEqual([[], []]);
  });

  it('asks the server what only a search knows, and leaves what it found in place', () => {
    const { apply, show, unsure } = screen(list([]));
    const found = show({ list: 'all', q: 'disk' }, list([makeAlert('a1')]));
    apply({ type: 'alert_updated', alert: makeAlert('a1', { status: 'completed', ownerId: 'other' }) });
    expect(unsure).toEqual([]);
    apply({ type: 'new_alert', alert: makeAlert('a2') });
    expect(found()).toEqual(['a1']);
    expect(unsure).toEqual(['/api/alerts/all?q=disk']);
  });
});
