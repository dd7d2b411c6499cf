import { DEFAULT_QUIET_HOURS } from '#backend/contract/notification-settings.ts';
import type { MemberSettings } from '#backend/outgoing/push/push-recipients.ts';

/** The settings of a member who wants to be notified of everything, but for what a test says. */
export const memberSettings = (more: Partial<MemberSettings> = {}): MemberSettings => ({
  isActive: true,
  quietHours: DEFAULT_QUIET_HOURS,
  pausedUntil: null,
  level: 'always',
  exceptions: new Map(),
  ...more,
});
