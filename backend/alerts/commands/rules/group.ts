import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type CommandRule, type DecidedAlert, type Deciding, NOBODY } from '#backend/alerts/commands/command.ts';

/** A group is about what is in everybody's inbox, and each member's own alerts are theirs to arrange. */
const mayArrange = (alert: DecidedAlert, { actor }: Deciding): boolean =>
  isEverybodys(alert) || alert.ownerId === actor.id;

const concerned = (alert: DecidedAlert, { actor }: Deciding) =>
  isEverybodys(alert) ? NOBODY : { ownerId: actor.id, ownerName: actor.displayName };

const NOT_THEIRS = { taken: 'Only its owner can take this alert out of its group.' };

/** Takes an alert out of its group: it stands by itself. Later alerts of the same cause still join the group. */
export const ungroup: CommandRule<'ungroup'> = {
  decide(alert, _command, by) {
    if (alert.groupId === null) return 'unchanged';
    if (!mayArrange(alert, by)) return 'taken';
    return {
      set: { groupId: null },
      entries: [{ action: 'ungrouped' }],
      event: { change: 'updated', ...concerned(alert, by), groupId: null },
    };
  },
  errors: NOT_THEIRS,
};

/** Puts an alert into a group, such as the one that it was taken out of. */
export const regroup: CommandRule<'regroup'> = {
  decide(alert, { groupId }, by) {
    if (alert.groupId === groupId) return 'unchanged';
    if (!mayArrange(alert, by)) return 'taken';
    return {
      set: { groupId },
      entries: [{ action: 'regrouped' }],
      event: { change: 'updated', ...concerned(alert, by), groupId },
    };
  },
  errors: NOT_THEIRS,
};
