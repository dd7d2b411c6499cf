import { TrashIcon } from '@blueprintjs/icons';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import type { AlertAction } from './action.ts';
import { deleteAlert } from './change-alert.ts';
import * as texts from './texts.ts';
import * as common from '#renderer/lib/texts.ts';

/** For good: from the inbox by everybody, from a queue or folder by administrators and super users only. */
export const DELETE: AlertAction = {
  id: 'delete',
  label: common.deleteAction,
  key: '#',
  group: texts.act,
  Icon: TrashIcon,
  isDangerous: true,
  lists: ['inbox', 'queue'],
  isOffered: (alert, { me }) => isEverybodys(alert) || ADMIN_ROLES.includes(me.role),
  run: (alert, context) => deleteAlert(context, alert),
  many: 'delete',
};
