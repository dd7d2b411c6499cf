import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { hasMutable, loadMuteDialog } from '#renderer/mutes/mute-ask.ts';
import type { AlertAction } from './action.ts';
import * as texts from './texts.ts';

/** No more notifications of its type, its customer or its source, for oneself alone. */
export const MUTE: AlertAction = {
  id: 'mute',
  label: texts.mute,
  key: 'l',
  group: texts.act,
  Icon: NotificationsSnoozeIcon,
  hasDialog: true,
  lists: ['inbox', 'queue', 'snoozed'],
  isOffered: hasMutable,
  loadChoices: async () => (await import('#renderer/mutes/mute-menu.tsx')).MuteMenu,
  run: (alert, { ask }) => ask(loadMuteDialog, { alert }),
};
