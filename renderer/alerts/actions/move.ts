import { isEverybodys } from '#backend/contract/alert-place.ts';
import { foldersQuery } from '#renderer/folders/data/folders.ts';
import { lazyIcon } from './lazy-icon.tsx';
import type { AlertAction } from './action.ts';
import { moveChange } from './changes.ts';
import * as texts from './texts.ts';

/** Into a folder of one's own; what is in the inbox is accepted on the way. */
export const MOVE: AlertAction = {
  id: 'move',
  label: texts.move,
  key: 'm',
  group: texts.act,
  Icon: lazyIcon(async () => {
    const { FolderCloseIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['inbox', 'queue'],
  // As long as the folders are not known, as on a phone, the choices say whether there are any.
  isOffered: (alert, { me, client }) =>
    (isEverybodys(alert) || alert.ownerId === me.id) &&
    client.getQueryData(foldersQuery.queryKey)?.some(({ id }) => id !== alert.folderId) !== false,
  inMenu: { label: texts.moveTo },
  many: 'change',
  loadChoices: async () => {
    // The call of a move out of the inbox comes along: who leaves the page right after choosing must not lose it.
    const [{ MoveChoices }] = await Promise.all([
      import('#renderer/alerts/card/move-menu.tsx'),
      import('./accept-into.ts'),
    ]);
    return MoveChoices;
  },
};

export const UNFILE: AlertAction = {
  id: 'unfile',
  label: texts.removeFromFolder,
  group: texts.act,
  Icon: lazyIcon(async () => {
    const { RemoveIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['queue'],
  isOffered: ({ ownerId, folderId }, { me }) => ownerId === me.id && folderId !== undefined,
  many: 'change',
  change: (_alert, me) => moveChange(null, me),
};
