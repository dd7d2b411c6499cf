import { isEverybodys } from '#backend/contract/alert-place.ts';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import type { AlertAction } from './action.ts';
import { WAKE } from './changes.ts';

/** Ends a snooze. */
export const WAKE_NOW: AlertAction = {
  id: 'wake',
  label: 'Unsnooze',
  key: 'w',
  group: 'Act',
  lists: ['snoozed'],
  isOffered: (alert, { me }) => alert.snoozedUntil !== undefined && maySnooze(alert, me.id),
  inMenu: false,
  many: 'change',
  change: (alert) => ({
    ...WAKE,
    ...(alert && { description: isEverybodys(alert) ? 'Back in the inbox' : 'Back in your queue' }),
  }),
};
