import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { CommandRule } from '#backend/alerts/commands/command.ts';

/** pending → accepted, owner = the member. Of several at once exactly one wins; again by the owner changes nothing. */
export const accept: CommandRule<'accept'> = {
  decide(alert, _command, { actor }) {
    if (alert.ownerId === actor.id) return 'unchanged';
    if (!isEverybodys(alert)) return 'taken';
    return {
      set: { status: 'accepted', ownerId: actor.id },
      entries: [{ action: 'accepted' }],
      event: { change: 'accepted', ownerId: actor.id, ownerName: actor.displayName },
    };
  },
  errors: {},
  isOpenlyTaken: true,
};
