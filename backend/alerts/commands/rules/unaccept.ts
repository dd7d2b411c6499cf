import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type AlertPlace, seesEverything } from '#backend/alerts/alert/alert.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { type CommandRule, NOBODY, hasOtherOwner, whyNotTheirs } from '#backend/alerts/commands/command.ts';

/** Who gave an alert to its owner may take it back until the owner changes something. */
const canTakeBack = (actor: Actor, alert: AlertPlace): boolean => alert.assignedById === actor.id;

/** Back to the inbox: by the owner, by who gave it to them, or by who sees everything. */
export const canUnaccept = (actor: Actor, alert: AlertPlace): boolean =>
  alert.ownerId === actor.id || canTakeBack(actor, alert) || seesEverything(actor);

/** Back to the inbox: no owner, no folder, pending. An alert that is there already stays as it is. */
export const unaccept: CommandRule<'unaccept'> = {
  decide(alert, { ifOwner }, { actor, folderName }) {
    if (isEverybodys(alert)) return 'unchanged';
    if (hasOtherOwner(alert, ifOwner) || !canUnaccept(actor, alert)) return whyNotTheirs(alert);
    return {
      set: { status: 'pending', ownerId: null, folderId: null },
      entries: [
        {
          action: 'unaccepted',
          previousStatus: alert.status,
          previousFolderName: folderName,
          folderOwnerId: alert.ownerId,
        },
      ],
      event: { change: 'unaccepted', ...NOBODY },
    };
  },
  errors: { taken: 'Only its owner can return this alert to the inbox.' },
};
