import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { lazyIcon } from './lazy-icon.tsx';
import type { AlertAction } from './action.ts';
import * as texts from './texts.ts';

const loadDialog = async () => (await import('#renderer/alerts/assign/assign-dialog.tsx')).AssignDialog;

/** To a colleague: from the inbox, of one's own, and for administrators anybody's. */
export const ASSIGN: AlertAction = {
  id: 'assign',
  label: texts.assign,
  key: 'a',
  isShifted: true,
  group: texts.act,
  Icon: lazyIcon(async () => {
    const { PersonIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  hasDialog: true,
  lists: ['inbox', 'queue', 'snoozed', 'all'],
  isOffered: (alert, { me }) => isEverybodys(alert) || alert.ownerId === me.id || ADMIN_ROLES.includes(me.role),
  inMenu: { label: texts.assignTo, isItem: true },
  many: 'change',
  loadChoices: async () => (await import('#renderer/alerts/assign/people.tsx')).AssignChoices,
  run: (alert, { ask }) => ask(loadDialog, { alert }),
};
