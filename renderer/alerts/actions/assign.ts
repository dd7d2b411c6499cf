import { PersonIcon } from '@blueprintjs/icons';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import type { AlertAction } from './action.ts';

const loadDialog = async () => (await import('#renderer/alerts/assign/assign-dialog.tsx')).AssignDialog;

/** To a colleague: from the inbox, of one's own, and for administrators anybody's. */
export const ASSIGN: AlertAction = {
  id: 'assign',
  label: 'Assign',
  key: 'a',
  isShifted: true,
  group: 'Act',
  Icon: PersonIcon,
  hasDialog: true,
  lists: ['inbox', 'queue', 'snoozed', 'all'],
  isOffered: (alert, { me }) => isEverybodys(alert) || alert.ownerId === me.id || ADMIN_ROLES.includes(me.role),
  inMenu: { label: 'Assign…', isItem: true },
  many: 'change',
  loadChoices: async () => (await import('#renderer/alerts/assign/people.tsx')).AssignChoices,
  run: (alert, { ask }) => ask(loadDialog, { alert }),
};
