import { isEverybodys } from '#backend/contract/alert-place.ts';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import type { AlertAction } from './action.ts';
import { WAKE } from './changes.ts';
import * as texts from './texts.ts';

/** Ends a snooze. */
export const WAKE_NOW: AlertAction = {
  id: 'wake',
  label: texts.unsnooze,
  key: 'w',
  group: texts.act,
  lists: ['snoozed'],
  isOffered: (alert, { me }) => alert.snoozedUntil !== undefined && maySnooze(alert, me.id),
  inMenu: false,
  many: 'change',
  change: (alert) => ({
    ...WAKE,
    ...(alert && { description: isEverybodys(alert) ? texts.backInInbox : texts.backInYourQueue }),
  }),
};
