import { isEverybodys } from '#backend/contract/alert-place.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import type { CommandRule } from '#backend/alerts/commands/command.ts';

/** Sets the status, from any of the three to any other; it is the owner's to set. The same again changes nothing. */
export const status: CommandRule<'status'> = {
  decide(alert, { status: newStatus }, { actor }) {
    if (isEverybodys(alert)) return 'returned';
    if (alert.ownerId !== actor.id) return seesEverything(actor) ? 'not_allowed' : 'taken';
    if (alert.status === newStatus) return 'unchanged';
    return {
      set: { status: newStatus },
      entries: [{ action: 'status_change', previousStatus: alert.status, newStatus }],
      event: { change: 'updated', ownerId: actor.id, ownerName: actor.displayName, status: newStatus },
    };
  },
  errors: {
    returned: 'Accept this alert before you change its status.',
    not_allowed: 'Only its owner can change the status of this alert.',
  },
};
