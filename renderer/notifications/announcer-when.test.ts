import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { DEFAULT_QUIET_HOURS, type QuietHours, WEEKDAYS } from '#backend/contract/notification-settings.ts';
import { announcerOn, arrival } from '#tests/components/support/announcer-on.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { Announcer } from './announcer.ts';
import { GROUP_TAG } from './notice-state.ts';

beforeEach(() => {
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => true, querySelector: () => null });
});
afterEach(() => vi.unstubAllGlobals());

it('flashes for what it announces while no window is in front, and for nothing else', async () => {
  let isInFront = true;
  vi.stubGlobal('document', { visibilityState: 'visible', hasFocus: () => isInFront, querySelector: () => null });
  const done: string[] = [];
  const channel = {
    flash: () => void done.push('flash'),
    reportAnnounced: async () => undefined,
    close: async (tags: readonly string[]) => void done.push(...tags),
  };
  /** What is done for each of these events; the deletion is the last of all. */
  const doneFor = async (announcer: Announcer, ...events: LiveEvent[]) => {
    done.length = 0;
    for (const event of events) announcer.receive([event]);
    announcer.receive([{ type: 'alert_deleted', alertId: 'last' }]);
    await waitFor(() => expect(done).toContain('last'));
    return done.filter((one) => one === 'flash').length;
  };
  const announcer = announcerOn(channel);
  expect(await doneFor(announcer, arrival('in front', 'critical'))).toBe(0);
  isInFront = false;
  const quietBy = { id: 'window', name: 'Upgrade' };
  const keptQuiet: LiveEvent = { type: 'new_alert', alert: makeAlert('kept quiet', { severity: 'critical', quietBy }) };
  const mention: LiveEvent = {
    type: 'member_notified',
    notice: { id: 'mention', kind: 'mentioned', alertId: 'other', alertTitle: 'Other', byName: 'Ben', text: '' },
  };
  const replayed: LiveEvent = { ...keptQuiet, alert: makeAlert('replayed', { severity: 'critical' }), quiet: true };
  expect(await doneFor(announcer, arrival('low', 'low'), keptQuiet, replayed)).toBe(0);
  expect(await doneFor(announcer, arrival('critical', 'critical'))).toBe(1);
  expect(await doneFor(announcer, mention)).toBe(1);
  announcer.close();

  const always = { ...DEFAULT_QUIET_HOURS, isOn: true, days: [...WEEKDAYS], from: '00:00', to: '00:00' };
  const atNight = announcerOn(channel, {}, always);
  expect(await doneFor(atNight, arrival('at night', 'critical'))).toBe(0);
  atNight.close();
});

/** The beginning of an id that is made at a moment. */
const idAt = (at: number) =>
  at
    .toString(16)
    .padStart(12, '0')
    .replace(/(.{8})/, '$1-');

const NIGHT = Date.parse('2026-11-23T03:00:00Z');
const MORNING = Date.parse('2026-11-23T09:00:00Z');

const called = (at: number, alertId: string, isUrgent?: true): LiveEvent => ({
  type: 'member_notified',
  notice: {
    id: `${idAt(at)}-${alertId}`,
    kind: 'called',
    alertId,
    alertTitle: alertId,
    byName: 'Ben',
    text: '',
    ...(isUrgent && { isUrgent }),
  },
});
const returned = (at: number, alertId: string): LiveEvent => ({
  type: 'alerts_returned',
  id: `${idAt(at)}-${alertId}`,
  alerts: 1,
  alertId,
  ownerId: 'mara',
  ownerName: 'Mara',
  untouchedHours: null,
});
const windowEnd = (at: number, name: string): LiveEvent => ({
  type: 'maintenance_changed',
  ended: {
    // Made when the window was planned.
    id: `${idAt(NIGHT)}-${name}`,
    name,
    kept: 2,
    stillFiring: 1,
    severity: 'critical',
    endedAt: new Date(at).toISOString(),
    ownerIds: [],
  },
});

it('announces no notice that came in quiet hours which ended before the page was back, but an urgent one', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: MORNING });
  onTestFinished(() => void vi.useRealTimers());
  const quietHours: QuietHours = { isOn: true, days: [...WEEKDAYS], from: '22:00', to: '07:00', timeZone: 'UTC' };
  const announced: string[] = [];
  const reportAnnounced = async (ids: readonly string[]) => void announced.push(...ids);
  const announcer = announcerOn({ reportAnnounced }, {}, quietHours);
  announcer.receive([
    called(NIGHT, 'asked at night'),
    called(NIGHT, 'urgent', true),
    called(MORNING, 'asked now'),
    returned(NIGHT, 'back at night'),
    returned(MORNING, 'back now'),
    windowEnd(NIGHT, 'over at night'),
    windowEnd(MORNING, 'over now'),
  ]);
  await waitFor(() => expect(announced.at(-1)).toContain('over now'));
  announcer.close();
  expect(announced.map((id) => id.slice(14))).toEqual(['urgent', 'asked now', 'back now', 'over now']);
});

it('announces what came while the page was away together, as far as it is wanted, and none that another tab has announced', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: MORNING });
  onTestFinished(() => void vi.useRealTimers());
  const quietHours: QuietHours = { isOn: true, days: [...WEEKDAYS], from: '22:00', to: '07:00', timeZone: 'UTC' };
  const shown: unknown[] = [];
  const announcer = announcerOn(
    { reportAnnounced: async () => undefined },
    {
      show: ({ title, ...toast }) =>
        shown.push([title, 'subjects' in toast && toast.subjects.map((one) => one?.alertId?.slice(14))]),
    },
    quietHours,
  );
  const came = (at: number, name: string, more: Partial<Alert> = {}): LiveEvent => ({
    type: 'alert_updated',
    reason: 'arrived',
    alert: makeAlert(`${idAt(at)}-${name}`, { severity: 'critical', ...more }),
  });
  announcer.receive([{ type: 'new_alert', alert: makeAlert(`${idAt(MORNING)}-seen`, { severity: 'critical' }) }]);
  announcer.receive([
    came(MORNING, 'seen'),
    came(MORNING, 'one'),
    came(MORNING, 'two'),
    came(MORNING, 'low', { severity: 'low' }),
    came(NIGHT, 'at night'),
    came(MORNING, 'snoozed', { snoozedUntil: '2026-11-24T09:00:00Z' }),
    came(MORNING, 'of Ben', { ownerId: 'ben', status: 'accepted' }),
  ]);
  await waitFor(() => expect(shown).toHaveLength(2));
  announcer.close();
  expect(shown).toEqual([
    ['New alert received', ['seen']],
    ['While you were disconnected', ['one', 'two']],
  ]);
});

it('leaves what a push has announced while the page was away to its notification, and takes the others from the count', async () => {
  const [shown, closed]: [unknown[], unknown[]] = [[], []];
  const announcer = announcerOn(
    {
      reportAnnounced: async () => undefined,
      filterPushed: async (tags) => tags.filter((tag) => tag === tagOfAlert('pushed')),
      close: async (tags, most) => void closed.push([...tags, most]),
    },
    {
      show: ({ title, ...toast }) =>
        shown.push([title, 'subjects' in toast && toast.subjects.map((one) => one?.alertId)]),
    },
  );
  announcer.receive(
    ['pushed', 'counted', 'counted too'].map((id) => ({
      type: 'alert_updated',
      reason: 'arrived',
      alert: makeAlert(id, { severity: 'critical' }),
    })),
  );
  await waitFor(() => expect(shown).toHaveLength(1));
  announcer.close();
  expect(shown).toEqual([['While you were disconnected', ['counted', 'counted too']]]);
  expect(closed).toEqual([[GROUP_TAG, 2]]);
});
