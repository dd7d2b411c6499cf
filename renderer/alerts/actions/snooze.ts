import { TimeIcon } from '@blueprintjs/icons';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import type { AlertAction } from './action.ts';

/** Out of its lists until a time, or until it fires again. */
export const SNOOZE: AlertAction = {
  id: 'snooze',
  label: 'Snooze',
  key: 's',
  group: 'Act',
  Icon: TimeIcon,
  labelFor: ({ snoozedUntil }) => (snoozedUntil === undefined ? 'Snooze' : 'Snooze until another time'),
  lists: ['inbox', 'queue', 'snoozed'],
  isOffered: (alert, { me }) => maySnooze(alert, me.id),
  many: 'change',
  loadChoices: async () => (await import('#renderer/alerts/snooze/snooze-menu.tsx')).SnoozeChoices,
};
