import type { CommandRule } from '#backend/alerts/commands/command.ts';

/**
 * Completed because of what happened elsewhere, such as its ticket being closed, whoever has the alert. No member gives this
 * command, so nobody's right is asked for.
 */
export const complete: CommandRule<'complete'> = {
  decide(alert) {
    if (alert.status === 'completed') return 'unchanged';
    return {
      set: { status: 'completed' },
      entries: [{ action: 'status_change', previousStatus: alert.status, newStatus: 'completed' }],
      event: { change: 'updated', ownerId: alert.ownerId, ownerName: null, status: 'completed' },
    };
  },
  errors: {},
};
