import { isEverybodys } from '#backend/contract/alert-place.ts';
import { ADMIN_ROLES } from '#renderer/lib/paths.ts';
import { lazyIcon } from './lazy-icon.tsx';
import type { AlertAction } from './action.ts';
import { UNACCEPT } from './changes.ts';
import * as texts from './texts.ts';

/** Back to the inbox: of one's own, and for administrators of anybody's. */
export const RETURN: AlertAction = {
  id: 'unaccept',
  label: texts.unaccept,
  key: 'u',
  group: texts.act,
  Icon: lazyIcon(async () => {
    const { UndoIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['queue'],
  isOffered: (alert, { me }) => !isEverybodys(alert) && (alert.ownerId === me.id || ADMIN_ROLES.includes(me.role)),
  many: 'change',
  change: () => UNACCEPT,
};
