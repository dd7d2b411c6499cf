import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AnnouncedAlert,
  type AnnouncementSettings,
  type DeviceState,
  type Verdict,
  type Channels,
  soundOf,
  tagOfAlert,
  verdictsAt,
  verdictOn,
  channelsOf,
} from './announcement.ts';
import { DEFAULT_QUIET_HOURS } from './notification-settings.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const QUIET = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '00:00', to: '00:00' };
const LATER = new Date(NOW + 1).toISOString();

const settings = (more: Partial<AnnouncementSettings> = {}): AnnouncementSettings => ({
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  mutedCustomers: new Set(['Nordwind']),
  mutedAlertTypes: new Set(['disk.full']),
  mutedSources: new Set(['source-1']),
  ...more,
});
const plain: AnnouncedAlert = { customer: 'Harbor & Finch', alertType: 'order.failed' };

describe('mutes', () => {
  test.each<[string, AnnouncedAlert, Verdict]>([
    ['what is not muted', plain, 'yes'],
    ['what names neither customer nor type', { customer: null, alertType: null }, 'yes'],
    ['a muted customer', { customer: 'Nordwind', alertType: 'order.failed' }, 'muted'],
    ['a muted type', { customer: 'Harbor & Finch', alertType: 'disk.full' }, 'muted'],
    ['a muted type without a customer', { customer: null, alertType: 'disk.full' }, 'muted'],
    ['a muted customer without a type', { customer: 'Nordwind', alertType: null }, 'muted'],
    ['names that differ in case', { customer: 'nordwind', alertType: 'Disk.full' }, 'yes'],
    ['an alert of a muted source', { customer: null, alertType: null, sourceId: 'source-1' }, 'muted'],
    ['an alert of another source', { customer: 'Harbor & Finch', alertType: null, sourceId: 'source-2' }, 'yes'],
    ['a customer named like a muted type', { customer: 'disk.full', alertType: 'Nordwind' }, 'yes'],
  ])('%s', (_what, alert, verdict) => {
    expect(verdictOn(settings(), alert, NOW)).toBe(verdict);
  });
});

test.each<[NonNullable<AnnouncedAlert['choice']>, Partial<AnnouncementSettings>, Verdict]>([
  ['always', {}, 'yes'],
  ['never', {}, 'muted'],
  ['always', { quietHours: QUIET }, 'quiet'],
  ['never', { quietHours: QUIET }, 'quiet'],
  ['always', { pausedUntil: LATER }, 'paused'],
  ['never', { pausedUntil: LATER }, 'paused'],
])('a choice of %s for a view, with %j, is %s, whatever is muted', (choice, decided, verdict) => {
  for (const customer of ['Nordwind', 'Atlas']) {
    expect(verdictOn(settings(decided), { customer, alertType: null, choice }, NOW)).toBe(verdict);
  }
});

describe('pauses', () => {
  test.each<[string, string | null, Verdict]>([
    ['none', null, 'yes'],
    ['one that lasts', LATER, 'paused'],
    ['one that ends now', new Date(NOW).toISOString(), 'yes'],
    ['one that is over', '2020-01-01T00:00:00.000Z', 'yes'],
  ])('%s', (_what, pausedUntil, verdict) => {
    expect(verdictOn(settings({ pausedUntil }), plain, NOW)).toBe(verdict);
  });
});

test('of several reasons the one counts that leaves least', () => {
  const muted = { customer: 'Nordwind', alertType: null };
  expect(verdictOn(settings({ quietHours: QUIET }), plain, NOW)).toBe('quiet');
  expect(verdictOn(settings({ quietHours: QUIET }), muted, NOW)).toBe('quiet');
  expect(verdictOn(settings({ quietHours: QUIET, pausedUntil: LATER }), muted, NOW)).toBe('paused');
});

test('many alerts are judged as each by itself', () => {
  const name = fc.constantFrom('Nordwind', 'disk.full', 'other', null);
  const given = fc.record({
    quietHours: fc.constantFrom(DEFAULT_QUIET_HOURS, QUIET),
    pausedUntil: fc.constantFrom(null, LATER),
    mutedCustomers: fc.constantFrom(new Set<string>(), new Set(['Nordwind', 'other'])),
    mutedAlertTypes: fc.constantFrom(new Set<string>(), new Set(['disk.full', 'other'])),
    mutedSources: fc.constantFrom(new Set<string>(), new Set(['source-1', 'other'])),
  });
  fc.assert(
    fc.property(given, fc.array(fc.record({ customer: name, alertType: name })), (one, alerts) => {
      expect(alerts.map(verdictsAt(one, NOW))).toEqual(alerts.map((alert) => verdictOn(one, alert, NOW)));
    }),
  );
});

/** Verdict, then window in front, notifications on, pushes arrive: what the device does. */
const TABLE = `
  yes    front   on   push  | toast sound
  yes    front   on   -     | toast sound
  yes    front   off  push  | toast sound
  yes    front   off  -     | toast sound
  yes    behind  on   push  | push sound
  yes    behind  on   -     | page sound
  yes    behind  off  push  | toast
  yes    behind  off  -     | toast
  muted  front   on   push  | toast
  muted  front   on   -     | toast
  muted  front   off  push  | toast
  muted  front   off  -     | toast
  muted  behind  on   push  | toast
  muted  behind  on   -     | toast
  muted  behind  off  push  | toast
  muted  behind  off  -     | toast
  quiet  front   on   push  | toast
  quiet  front   on   -     | toast
  quiet  front   off  push  | toast
  quiet  front   off  -     | toast
  quiet  behind  on   push  |
  quiet  behind  on   -     |
  quiet  behind  off  push  |
  quiet  behind  off  -     |
  paused front   on   push  | toast
  paused front   on   -     | toast
  paused front   off  push  | toast
  paused front   off  -     | toast
  paused behind  on   push  |
  paused behind  on   -     |
  paused behind  off  push  |
  paused behind  off  -     |`;
const ROWS = TABLE.trim()
  .split('\n')
  .map((row) => {
    const [given = '', expected = ''] = row.split('|');
    const [verdict, window, notifications, push] = given.trim().split(/\s+/);
    const device: DeviceState = {
      hasAttendedWindow: window === 'front',
      notificationsOn: notifications === 'on',
      hasPush: push === 'push',
    };
    return { row: row.trim(), verdict: verdict as Verdict, device, expected: expected.trim() };
  });
const labelOf = ({ toast, notification, sound }: Channels) =>
  [toast && 'toast', notification !== 'none' && notification, sound && 'sound'].filter(Boolean).join(' ');

test('the table holds every case once', () => {
  expect(new Set(ROWS.map(({ verdict, device }) => JSON.stringify([verdict, device]))).size).toBe(4 * 2 * 2 * 2);
});

test.each(ROWS)('$row', ({ verdict, device, expected }) => {
  expect(labelOf(channelsOf({ verdict, device }))).toBe(expected);
});

describe('whatever the case', () => {
  const cases = ROWS.map(({ verdict, device }) => ({ verdict, channels: channelsOf({ verdict, device }) }));
  const wanted = cases.filter(({ verdict }) => verdict === 'yes');
  const unwanted = cases.filter(({ verdict }) => verdict !== 'yes');

  test('a device never shows both a toast and a notification', () => {
    expect(cases.filter(({ channels }) => channels.toast && channels.notification !== 'none')).toEqual([]);
  });

  test('who wants to be notified is notified', () => {
    expect(wanted.filter(({ channels }) => !channels.toast && channels.notification === 'none')).toEqual([]);
  });

  test('who does not gets neither sound nor notification', () => {
    expect(unwanted.filter(({ channels }) => channels.sound || channels.notification !== 'none')).toEqual([]);
  });
});

test('a type makes the sound that was chosen for it, and no other', () => {
  const sounds = [{ alertType: 'disk.full', sound: 'alarm' as const }];
  expect(soundOf(sounds, { customer: null, alertType: 'disk.full' })).toBe('alarm');
  expect(soundOf(sounds, { customer: null, alertType: 'Disk.full' })).toBeUndefined();
  expect(soundOf(sounds, { customer: null, alertType: null })).toBeUndefined();
});

test('a tag is as long as the topic of a push may be', () => {
  expect(tagOfAlert('01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80')).toMatch(/^[0-9a-f]{32}$/);
});
