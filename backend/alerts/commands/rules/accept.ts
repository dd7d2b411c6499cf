import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type CommandRule, whyNotTheirs } from '#backend/alerts/commands/command.ts';
import { status as statusRule } from './status.ts';

/**
 * pending → accepted, or another status that is named; owner = the member. Of several at once exactly one wins; again by
 * the owner changes nothing but the status that is named.
 */
export const accept: CommandRule<'accept'> = {
  decide(alert, { status }, by) {
    const { actor } = by;
    if (alert.ownerId === actor.id) {
      return status === undefined ? 'unchanged' : statusRule.decide(alert, { action: 'status', status }, by);
    }
    if (!isEverybodys(alert)) return whyNotTheirs(alert);
    const accepted = { change: 'accepted', ownerId: actor.id, ownerName: actor.displayName } as const;
    if (status === undefined || status === 'accepted') {
      return {
        set: { status: 'accepted', ownerId: actor.id },
        entries: [{ action: 'accepted' }],
        event: accepted,
      };
    }
    return {
      set: { status, ownerId: actor.id },
      entries: [{ action: 'accepted' }, { action: 'status_change', previousStatus: 'accepted', newStatus: status }],
      event: { ...accepted, status },
    };
  },
  errors: {},
  isOpenlyTaken: true,
};
