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
  judgeAt,
  louder,
  noticeAbout,
  verdictOn,
  channelsOf,
} from './announcement.ts';
import { exceptionKey } from './mute.ts';
import { alertSeveritySchema } from './alert.ts';
import { EXCEPTION_KINDS } from './notification-exception.ts';
import { DEFAULT_QUIET_HOURS, NOTICE_LEVELS, type NoticeLevel } from './notification-settings.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const QUIET = { ...DEFAULT_QUIET_HOURS, isOn: true, from: '00:00', to: '00:00' };
const LATER = new Date(NOW + 1).toISOString();

const settings = (more: Partial<AnnouncementSettings> = {}): AnnouncementSettings => ({
  level: 'always',
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  exceptions: new Map([
    [exceptionKey('customer', 'Nordwind'), 'never'],
    [exceptionKey('alert_type', 'disk.full'), 'never'],
    [exceptionKey('source', 'source-1'), 'never'],
  ]),
  ...more,
});
const alertOf = (more: Partial<AnnouncedAlert> = {}): AnnouncedAlert => ({
  customer: 'Harbor & Finch',
  alertType: 'order.failed',
  severity: 'none',
  isMine: false,
  ...more,
});
const plain = alertOf();

describe('mutes', () => {
  test.each<[string, Partial<AnnouncedAlert>, Verdict]>([
    ['what is not muted', {}, 'yes'],
    ['what names neither customer nor type', { customer: null, alertType: null }, 'yes'],
    ['a muted customer', { customer: 'Nordwind' }, 'unwanted'],
    ['a muted type', { alertType: 'disk.full' }, 'unwanted'],
    ['a muted type without a customer', { customer: null, alertType: 'disk.full' }, 'unwanted'],
    ['a muted customer without a type', { customer: 'Nordwind', alertType: null }, 'unwanted'],
    ['names that differ in case', { customer: 'nordwind', alertType: 'Disk.full' }, 'yes'],
    ['an alert of a muted source', { customer: null, alertType: null, sourceId: 'source-1' }, 'unwanted'],
    ['an alert of another source', { alertType: null, sourceId: 'source-2' }, 'yes'],
    ['a customer named like a muted type', { customer: 'disk.full', alertType: 'Nordwind' }, 'yes'],
    ['an own alert of a muted customer', { customer: 'Nordwind', isMine: true, severity: 'critical' }, 'unwanted'],
  ])('%s', (_what, alert, verdict) => {
    expect(verdictOn(settings(), alertOf(alert), NOW)).toBe(verdict);
  });
});

/** Which alerts a level lets through: severities of others' alerts, then whether an own one without a severity. */
const LEVELS: Record<NoticeLevel, [severities: string[], own: boolean]> = {
  always: [['critical', 'high', 'warning', 'low', 'info', 'none'], true],
  high: [['critical', 'high'], true],
  critical: [['critical'], true],
  mine: [[], true],
  never: [[], false],
};

test.each(NOTICE_LEVELS)('the level %s lets through what it says', (level) => {
  const judge = judgeAt(settings({ level, exceptions: new Map() }), NOW);
  const isWanted = (alert: AnnouncedAlert) => judge(alert).verdict === 'yes';
  const [severities, own] = LEVELS[level];
  expect(alertSeveritySchema.options.filter((severity) => isWanted(alertOf({ severity })))).toEqual(severities);
  expect(isWanted(alertOf({ isMine: true }))).toBe(own);
  expect(isWanted(noticeAbout(true))).toBe(own);
  // Alerts that came back to everybody are as news without a severity.
  expect(isWanted(noticeAbout(false))).toBe(level === 'always');
});

describe('exceptions', () => {
  const level = fc.constantFrom(...NOTICE_LEVELS);
  const maybe = fc.option(level, { nil: undefined });
  const alerts = fc.record({
    severity: fc.constantFrom(...alertSeveritySchema.options),
    isMine: fc.boolean(),
    levels: fc.record({ customer: maybe, alert_type: maybe, source: maybe, view: maybe }),
    all: level,
  });
  const KEYS = {
    customer: exceptionKey('customer', 'Nordwind'),
    alert_type: exceptionKey('alert_type', 'disk.full'),
    source: exceptionKey('source', 'source-1'),
  };

  test('the most specific one decides alone, as a choice of the same level for all would', () => {
    fc.assert(
      fc.property(alerts, ({ severity, isMine, levels, all }) => {
        const exceptions = new Map(
          Object.entries(KEYS).flatMap(([kind, key]): [string, NoticeLevel][] => {
            const one = levels[kind as keyof typeof KEYS];
            return one === undefined ? [] : [[key, one]];
          }),
        );
        const alert = alertOf({
          customer: 'Nordwind',
          alertType: 'disk.full',
          sourceId: 'source-1',
          severity,
          isMine,
          viewLevel: levels.view,
        });
        const judgment = judgeAt(settings({ level: all, exceptions }), NOW)(alert);
        const by = EXCEPTION_KINDS.find((kind) => levels[kind] !== undefined);
        const decides = by === undefined ? all : (levels[by] ?? all);
        expect(judgment).toMatchObject({ by: by ?? 'all', level: decides });
        const plainly = settings({ level: decides, exceptions: new Map() });
        expect(judgment.verdict).toBe(verdictOn(plainly, { ...alert, viewLevel: undefined }, NOW));
      }),
    );
  });

  test('a louder level lets through whatever a quieter one does', () => {
    fc.assert(
      fc.property(alerts, level, ({ severity, isMine, all }, other) => {
        const isWanted = (one: NoticeLevel) =>
          verdictOn(settings({ level: one, exceptions: new Map() }), alertOf({ severity, isMine }), NOW) === 'yes';
        expect(isWanted(louder(all, other))).toBe(isWanted(all) || isWanted(other));
        expect(louder(all, other)).toBe(louder(other, all));
      }),
    );
  });
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
  const muted = alertOf({ customer: 'Nordwind' });
  expect(verdictOn(settings({ quietHours: QUIET }), plain, NOW)).toBe('quiet');
  expect(verdictOn(settings({ quietHours: QUIET, pausedUntil: LATER }), plain, NOW)).toBe('paused');
  expect(verdictOn(settings({ quietHours: QUIET, pausedUntil: LATER }), muted, NOW)).toBe('unwanted');
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
  unwanted front   on   push  |
  unwanted front   on   -     |
  unwanted front   off  push  |
  unwanted front   off  -     |
  unwanted behind  on   push  |
  unwanted behind  on   -     |
  unwanted behind  off  push  |
  unwanted behind  off  -     |
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
  expect(soundOf(sounds, { alertType: 'disk.full' })).toBe('alarm');
  expect(soundOf(sounds, { alertType: 'Disk.full' })).toBeUndefined();
  expect(soundOf(sounds, { alertType: null })).toBeUndefined();
});

test('a tag is as long as the topic of a push may be', () => {
  expect(tagOfAlert('01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80')).toMatch(/^[0-9a-f]{32}$/);
});
