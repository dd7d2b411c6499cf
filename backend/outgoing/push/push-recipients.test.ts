import { expect, test } from 'vitest';
import { type AnnouncedAlert } from '#backend/contract/announcement.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import { type MemberSettings, alertsToPush } from './push-recipients.ts';
import { memberSettings } from '#tests/support/member-settings.ts';

const NOW = Date.parse('2026-11-16T12:00:00Z');
const settings = (more: Partial<MemberSettings>) =>
  memberSettings({
    exceptions: new Map([
      [exceptionKey('customer', 'Nordwind'), 'never'],
      [exceptionKey('alert_type', 'disk.full'), 'never'],
    ]),
    ...more,
  });
const nameless: AnnouncedAlert = { customer: null, alertType: null, severity: 'none', isMine: false };
const plain = { ...nameless, customer: 'Harbor & Finch', alertType: 'order.failed' };
const alerts = [plain, { ...plain, customer: 'Nordwind' }, { ...plain, alertType: 'disk.full' }, nameless];

test.each<[string, Partial<MemberSettings>, object[]]>([
  ['what is not muted is sent, in its order', {}, [plain, nameless]],
  ['who muted nothing is sent everything', { exceptions: new Map() }, alerts],
  ['a disabled member is sent nothing', { isActive: false }, []],
  ['nothing is sent in a pause', { pausedUntil: '2026-11-16T12:00:00.001Z' }, []],
  ['a pause that is over counts for nothing', { pausedUntil: '2026-11-16T12:00:00.000Z' }, [plain, nameless]],
  ['nothing is sent in quiet hours', { quietHours: { ...DEFAULT_QUIET_HOURS, isOn: true, from: '12:00' } }, []],
  ['outside of them it is', { quietHours: { ...DEFAULT_QUIET_HOURS, isOn: true, from: '12:01' } }, [plain, nameless]],
])('%s', (_what, more, expected) => {
  expect(alertsToPush(settings(more), alerts, NOW)).toEqual(expected);
});
