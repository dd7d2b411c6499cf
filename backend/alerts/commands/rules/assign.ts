import { isEverybodys } from '#backend/contract/alert-place.ts';
import { canUnaccept } from './unaccept.ts';
import type { AssignmentKind } from '#backend/contract/alert.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import {
  type Changes,
  type CommandRule,
  type DecidedAlert,
  hasOtherOwner,
  whyNotTheirs,
} from '#backend/alerts/commands/command.ts';

/** How an alert comes to a new owner: from its owner, or by somebody else. */
export const assignmentKindOf = (actor: Actor, { ownerId }: Pick<DecidedAlert, 'ownerId'>): AssignmentKind =>
  ownerId === actor.id ? 'handed_over' : 'assigned';

/**
 * Gives an alert to a member, who owns it from then on: in the status it has, from the inbox as accepted, in no folder. What
 * is in the inbox any member may give, the rest who may return it to the inbox. Whose it is already stays as it is.
 */
export const assign: CommandRule<'assign'> = {
  decide(alert, { assignee, note, ifOwner }, { actor, folderName }) {
    if (alert.ownerId === assignee.id) return 'unchanged';
    const isPending = isEverybodys(alert);
    const isOther = hasOtherOwner(alert, ifOwner);
    if (isOther && isPending) return 'returned';
    if (isOther || !(isPending || canUnaccept(actor, alert))) return whyNotTheirs(alert);
    const isForSelf = assignee.id === actor.id;
    const kind = assignmentKindOf(actor, alert);
    const entry: Changes['entries'][number] =
      isForSelf && isPending
        ? { action: 'accepted' }
        : {
            action: kind,
            previousStatus: alert.status,
            previousFolderName: folderName,
            folderOwnerId: alert.ownerId,
            assigneeName: assignee.displayName,
            note,
          };
    return {
      set: {
        ownerId: assignee.id,
        folderId: null,
        ...(isPending && { status: 'accepted' as const }),
        // Whoever owns it from now on completes it once more, which is sent out as this is.
        ...(alert.status !== 'completed' && { completedAt: null }),
        ...(!isForSelf && { assignment: kind, assignedById: actor.id, assignedByName: actor.displayName }),
      },
      entries: [entry],
      event: {
        change: isPending ? 'accepted' : 'assigned',
        ownerId: assignee.id,
        ownerName: assignee.displayName,
        ...(!isForSelf && { assignment: { kind, byName: actor.displayName } }),
      },
    };
  },
  errors: { returned: 'This alert was returned to the inbox.' },
  isOpenlyTaken: true,
};
