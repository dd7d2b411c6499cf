import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type Changes, type CommandRule, whyNotTheirs } from '#backend/alerts/commands/command.ts';

/** Files an alert in a folder of its owner's, or takes it out. Where it is already, nothing changes. */
export const move: CommandRule<'move'> = {
  decide(alert, { folder, isForPending }, { actor, folderName }) {
    const isPending = isEverybodys(alert);
    if (isPending && (folder === null || !isForPending)) return 'returned';
    if (!isPending && alert.ownerId !== actor.id) return whyNotTheirs(alert);
    const folderId = folder?.id ?? null;
    if (alert.folderId === folderId) return 'unchanged';
    const moved: Changes['entries'][number] = {
      action: 'move_folder',
      previousFolderName: folderName,
      newFolderName: folder?.name ?? null,
      folderOwnerId: actor.id,
    };
    return {
      set: isPending ? { status: 'accepted', ownerId: actor.id, folderId } : { folderId },
      entries: isPending ? [{ action: 'accepted' }, moved] : [moved],
      event: {
        change: isPending ? 'accepted' : 'updated',
        ownerId: actor.id,
        ownerName: actor.displayName,
        folderId,
      },
    };
  },
  errors: {
    returned: 'Accept this alert before you move it to a folder.',
    taken: 'Only its owner can move this alert to a folder.',
  },
};
