import { TimeIcon } from '@blueprintjs/icons';
import { maySnooze } from '#renderer/alerts/data/snooze.ts';
import type { AlertAction } from './action.ts';
import * as texts from './texts.ts';

/** Out of its lists until a time, or until it fires again. */
export const SNOOZE: AlertAction = {
  id: 'snooze',
  label: texts.snooze,
  key: 's',
  group: texts.act,
  Icon: TimeIcon,
  labelFor: ({ snoozedUntil }) => (snoozedUntil === undefined ? texts.snooze : texts.snoozeUntilAnotherTime),
  lists: ['inbox', 'queue', 'snoozed'],
  isOffered: (alert, { me }) => maySnooze(alert, me.id),
  many: 'change',
  loadChoices: async () => (await import('#renderer/alerts/snooze/snooze-menu.tsx')).SnoozeChoices,
};
