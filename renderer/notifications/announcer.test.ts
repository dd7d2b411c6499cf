import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { currentToast, emptyToastQueue, reduceToasts } from '#renderer/toasts/toast-queue.ts';
import { announcerOn, arrival } from '#tests/components/support/announcer-on.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { waitFor } from '#tests/support/wait-for.ts';

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => true, querySelector: () => null });
});
afterEach(() => vi.unstubAllGlobals());

it('reports to the worker what the server pushes, and nothing that it does not push', async () => {
  const reported: string[] = [];
  const announcer = announcerOn({ reportAnnounced: async (ids) => void reported.push(...ids) });
  announcer.receive([arrival('low', 'low')]);
  announcer.receive([
    {
      type: 'alerts_returned',
      id: 'returned',
      alerts: 1,
      alertId: 'low',
      ownerId: 'ben',
      ownerName: 'Ben',
      untouchedHours: null,
    },
  ]);
  announcer.receive([arrival('critical', 'critical')]);
  await waitFor(() => expect(reported).toContain('critical'));
  announcer.close();
  expect(reported).toEqual(['critical']);
});

const given = (alertId: string, ownerId: string, status: 'accepted' | 'completed' = 'accepted'): LiveEvent => ({
  type: 'alerts_changed',
  change: 'assigned',
  alertIds: [alertId],
  ownerId,
  ownerName: ownerId,
  status,
});

it('closes the notification of an alert that is given to somebody else, and not of one that is given to me', async () => {
  const closed: string[] = [];
  const announcer = announcerOn({ close: async (tags) => void closed.push(...tags) });
  announcer.receive([given('mine', 'mara')]);
  announcer.receive([given('theirs', 'ben')]);
  announcer.receive([given('over', 'mara', 'completed')]);
  await waitFor(() => expect(closed).toContain('over'));
  announcer.close();
  expect(closed).toEqual(['theirs', 'over']);
});

const updated = (id: string, more: Partial<Alert>, reason?: 'escalated' | 'woken'): LiveEvent => ({
  type: 'alert_updated',
  alert: makeAlert(id, more),
  ...(reason && { reason }),
});

const notified = (id: string, kind: 'called' | 'mentioned', alertId: string): LiveEvent => ({
  type: 'member_notified',
  notice: { id, kind, alertId, alertTitle: id, byName: 'Ben', text: '' },
});

it('closes what a page that was away finds accepted by anybody, and leaves news of what was mine before', async () => {
  const closed: string[] = [];
  const announcer = announcerOn({
    reportAnnounced: async () => undefined,
    close: async (tags) => void closed.push(...tags),
  });
  announcer.receive([
    arrival('theirs', 'critical'),
    arrival('by-phone', 'critical'),
    notified('called', 'called', 'asked'),
    updated('worse', { ownerId: 'mara', status: 'accepted' }, 'escalated'),
  ]);
  // As `GET /api/changes` returns alerts to who sees them.
  announcer.receive([
    updated('theirs', { ownerId: 'ben', status: 'accepted' }),
    updated('by-phone', { ownerId: 'mara', status: 'accepted' }),
    updated('asked', { ownerId: 'mara', status: 'in-progress' }),
    updated('worse', { ownerId: 'mara', status: 'accepted' }),
    updated('waiting', {}),
    { type: 'alert_deleted', alertId: 'last' },
  ]);
  await waitFor(() => expect(closed).toContain('last'));
  announcer.close();
  expect(closed).toEqual(['theirs', 'byphone', 'asked', 'last']);
});

it('leaves the notification of an alert that is back in the inbox by then', async () => {
  const closed: string[] = [];
  const announcer = announcerOn({ close: async (tags) => void closed.push(...tags) });
  announcer.receive([
    { type: 'alert_accepted', alertId: 'back', ownerId: 'ben', ownerName: 'Ben' },
    { type: 'alert_deleted', alertId: 'gone' },
    { type: 'alert_unaccepted', alert: makeAlert('back') },
  ]);
  await waitFor(() => expect(closed).toContain('gone'));
  announcer.close();
  expect(closed).toEqual(['gone']);
});

it('announces no notice that was read elsewhere while the page was away, nor a call whose alert is taken by now', async () => {
  const shown: unknown[] = [];
  const announcer = announcerOn(
    { reportAnnounced: async () => undefined, close: async () => undefined },
    { show: ({ intent, description }) => shown.push(`${intent}: ${description}`) },
  );
  announcer.receive([
    updated('taken', { ownerId: 'ben', status: 'accepted' }),
    updated('by-phone', { ownerId: 'mara', status: 'accepted' }),
    notified('mention that was read', 'mentioned', 'other'),
    notified('call of Ben’s alert', 'called', 'taken'),
    notified('call of my alert', 'called', 'by-phone'),
    notified('mention that was marked', 'mentioned', 'other'),
    { type: 'notices_changed', noticeIds: ['mention that was read', 'mention that was marked'], isRead: true },
    { type: 'notices_changed', noticeIds: ['mention that was marked'], isRead: false },
    notified('call', 'called', 'waiting'),
  ]);
  // None of them is something that the member has done.
  await waitFor(() => expect(shown).toContain('notice: call'));
  announcer.close();
  expect(shown).toEqual(['notice: mention that was marked', 'notice: call']);
});

it('announces a notice once, however often a page that was away is sent it, and not in another tab', async () => {
  const shown: unknown[] = [];
  const open = () =>
    announcerOn(
      { reportAnnounced: async () => undefined, close: async () => undefined },
      { show: ({ title }) => shown.push(title) },
    );
  const mention = notified(crypto.randomUUID(), 'mentioned', 'other');
  const returned: LiveEvent = {
    type: 'alerts_returned',
    id: crypto.randomUUID(),
    alerts: 1,
    alertId: 'other',
    ownerId: 'mara',
    ownerName: 'Mara',
    untouchedHours: null,
  };
  const [first, second] = [open(), open()];
  first.receive([mention, returned]);
  await waitFor(() => expect(shown).toHaveLength(2));
  // As it catches up from a place before them.
  first.receive([mention, returned, notified('next', 'called', 'waiting')]);
  await waitFor(() => expect(shown).toHaveLength(3));
  second.receive([mention, returned, notified('last', 'called', 'waiting')]);
  await waitFor(() => expect(shown).toHaveLength(4));
  first.close();
  second.close();
  expect(shown).toEqual([
    'Ben mentioned you',
    'An alert is back in the inbox',
    'Nobody has taken an alert',
    'Nobody has taken an alert',
  ]);
});

/** Of a critical alert whose snooze ended at a moment of the server's clock. */
const woken = (wokenAt: number) => ({ severity: 'critical' as const, wokenAt: new Date(wokenAt).toISOString() });

it('says that an alert is back of one that wakes, whatever the clock of the device shows, and of none that gets worse then', async () => {
  const shown: string[] = [];
  const announcer = announcerOn(
    { reportAnnounced: async () => undefined },
    { show: ({ title }) => void shown.push(title) as undefined },
  );
  announcer.receive([updated('woken', woken(Date.now() - 3_600_000), 'woken')]);
  announcer.receive([updated('worse', woken(Date.now()), 'escalated')]);
  await waitFor(() => expect(shown).toHaveLength(2));
  announcer.close();
  expect(shown).toEqual(['Snoozed alert is back', 'New alert received']);
});

/** Finds a list on screen that draws no alert. */
const emptyList = (selector: string) => (selector.startsWith('[') ? null : {});

it('leaves an alert out of its toast that is over before the list has drawn it', async () => {
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => true, querySelector: emptyList });
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => setTimeout(callback));
  vi.stubGlobal('CSS', { escape: String });
  const shown: unknown[] = [];
  const announcer = announcerOn(
    { reportAnnounced: async () => undefined, close: async () => undefined },
    { show: (toast) => shown.push('subjects' in toast && toast.subjects.map((subject) => subject?.alertId)) },
  );
  announcer.receive(['1', '2', '3'].map((id) => arrival(id, 'critical')));
  announcer.receive([{ type: 'alert_deleted', alertId: '1' }]);
  await waitFor(() => expect(shown).toHaveLength(1));
  expect(shown).toEqual([['2', '3']]);
  announcer.close();
});

it('takes alerts that are over out of the toast that counts them', async () => {
  let queue = reduceToasts(emptyToastQueue, { type: 'sign-in', owner: 'mara' });
  const announcer = announcerOn(
    { reportAnnounced: async () => undefined, close: async () => undefined },
    {
      show(toast) {
        queue = reduceToasts(queue, { type: 'show', toast, now: 0 });
        return undefined;
      },
      change(change) {
        queue = change(queue);
      },
    },
  );
  announcer.receive(['1', '2', '3'].map((id) => arrival(id, 'critical')));
  await waitFor(() => expect(currentToast(queue)?.description).toBe('3 new alerts'));
  announcer.receive([{ type: 'alert_deleted', alertId: '1' }, updated('2', { ownerId: 'ben', status: 'accepted' })]);
  await waitFor(() => expect(currentToast(queue)?.subject?.alertId).toBe('3'));
  announcer.close();
});
