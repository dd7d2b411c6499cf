import { isEverybodys } from '#backend/contract/alert-place.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import { type CommandRule, whyNotTheirs } from '#backend/alerts/commands/command.ts';

/**
 * Sets the status, from any of the three to any other; it is the owner's to set. The same again changes nothing. A completion
 * that is restored has the time that is stored of it, never one that a caller names; where the alert was reported or given
 * since, it is completed now.
 */
export const status: CommandRule<'status'> = {
  decide(alert, { status: newStatus, restoresCompletion = false }, { actor }) {
    if (isEverybodys(alert)) return 'returned';
    if (alert.ownerId !== actor.id) return seesEverything(actor) ? 'not_allowed' : whyNotTheirs(alert);
    if (alert.status === newStatus) return 'unchanged';
    const { completedAt, lastSeenAt } = alert;
    // What its sender has reported since was sent out, and so must its end be.
    const isAsBefore = completedAt !== null && (lastSeenAt ?? 0) <= completedAt;
    const isRestored = restoresCompletion && newStatus === 'completed' && isAsBefore;
    return {
      set: { status: newStatus, ...(isRestored && { completedAt }) },
      entries: [{ action: 'status_change', previousStatus: alert.status, newStatus }],
      event: { change: 'updated', ownerId: actor.id, ownerName: actor.displayName, status: newStatus },
    };
  },
  errors: {
    returned: 'Accept this alert before you change its status.',
    not_allowed: 'Only its owner can change the status of this alert.',
  },
};
