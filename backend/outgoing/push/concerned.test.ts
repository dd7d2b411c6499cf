import { expect, test } from 'vitest';
import { memberSettings } from '#tests/support/member-settings.ts';
import { type Reported, isNoticeFor } from './concerned.ts';
import { personalMessage } from './push-message.ts';

const NOW = Date.parse('2026-11-27T01:00:00Z');

const called = (isUrgent: boolean): Reported => ({
  userId: 'nora',
  isAbout: () => true,
  isUrgent,
  messageFor: () => personalMessage('1', { title: 'Nobody has taken an alert', body: '', path: '/alert/1' }),
});

test('an urgent notice passes a pause, and reaches nobody who is disabled or whom it is not for', () => {
  const paused = memberSettings({ pausedUntil: '2026-11-27T02:00:00Z' });
  expect([false, true].map((isUrgent) => isNoticeFor(called(isUrgent), 'nora', paused, NOW))).toEqual([false, true]);
  expect(isNoticeFor(called(true), 'nora', memberSettings({ isActive: false }), NOW)).toBe(false);
  expect(isNoticeFor(called(true), 'ann', paused, NOW)).toBe(false);
});
