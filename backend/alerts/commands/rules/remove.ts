import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type AlertPlace, seesEverything } from '#backend/alerts/alert/alert.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { type CommandRule, NOBODY, hasOtherOwner, whyNotTheirs } from '#backend/alerts/commands/command.ts';

/** In the inbox any member may delete; elsewhere only the roles that see everything. */
const canDelete = (actor: Actor, alert: AlertPlace): boolean => isEverybodys(alert) || seesEverything(actor);

/** Deletes an alert; its history stays. From the inbox any member may, elsewhere only the roles that see everything. */
export const remove: CommandRule<'delete'> = {
  decide(alert, { ifOwner }, { actor }) {
    const isMine = alert.ownerId === actor.id;
    if (hasOtherOwner(alert, ifOwner)) {
      if (isEverybodys(alert)) return 'returned';
      return isMine ? 'not_allowed' : whyNotTheirs(alert);
    }
    if (!canDelete(actor, alert)) return isMine ? 'not_allowed' : whyNotTheirs(alert);
    return {
      set: 'remove',
      entries: [{ action: 'deleted', previousStatus: alert.status }],
      event: { change: 'deleted', ...NOBODY },
    };
  },
  errors: {
    returned: 'This alert was returned to the inbox.',
    not_allowed: 'Only administrators can delete an accepted alert.',
  },
};
