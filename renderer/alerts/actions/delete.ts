import { TrashIcon } from '@blueprintjs/icons';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import type { AlertAction } from './action.ts';
import { deleteAlert } from './change-alert.ts';

/** For good: from the inbox by everybody, from a queue or folder by administrators and super users only. */
export const DELETE: AlertAction = {
  id: 'delete',
  label: 'Delete',
  key: '#',
  group: 'Act',
  Icon: TrashIcon,
  isDangerous: true,
  lists: ['inbox', 'queue'],
  isOffered: (alert, { me }) => isEverybodys(alert) || ADMIN_ROLES.includes(me.role),
  run: (alert, context) => deleteAlert(context, alert),
  many: 'delete',
};
