import type { CommandRule } from '#backend/alerts/commands/command.ts';

/** pending → accepted, owner = the member. Of several at once exactly one wins; again by the owner changes nothing. */
export const accept: CommandRule<'accept'> = {
  decide({ status, ownerId }, _command, { actor }) {
    if (ownerId === actor.id) return 'unchanged';
    if (status !== 'pending') return 'taken';
    return {
      set: { status: 'accepted', ownerId: actor.id },
      entries: [{ action: 'accepted' }],
      event: { change: 'accepted', ownerId: actor.id, ownerName: actor.displayName },
    };
  },
  errors: {},
  isOpenlyTaken: true,
};
