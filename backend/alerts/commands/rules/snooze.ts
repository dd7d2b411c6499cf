import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { AlertPlace, StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { UNTIL_NEXT_FIRING, presentSnoozedUntil } from '#backend/alerts/alert/stored-status.ts';
import {
  type Changes,
  type CommandRule,
  type DecidedAlert,
  type Deciding,
  NOBODY,
  whyNotTheirs,
} from '#backend/alerts/commands/command.ts';

/** An alert of the inbox is snoozed, and woken, by any member for all; an accepted one by its owner. */
const canSnooze = (actor: Actor, alert: AlertPlace): boolean => isEverybodys(alert) || alert.ownerId === actor.id;

/** Whether its sender can report this alert's problem again: it has a name and a lifecycle. */
const canFireAgain = ({ dedupKey, state }: Pick<StoredAlert, 'dedupKey' | 'state'>): boolean =>
  dedupKey !== null && state !== null;

/** What happens to alerts of the inbox is everybody's to know, the rest their owner's. */
const concerned = ({ status }: DecidedAlert, { actor }: Deciding): Pick<Changes['event'], 'ownerId' | 'ownerName'> =>
  status === 'pending' ? NOBODY : { ownerId: actor.id, ownerName: actor.displayName };

const NOT_THEIRS = { taken: 'Only its owner can snooze or unsnooze this alert.' };

/**
 * Takes an alert out of the inbox, or out of its owner's lists, until a time or the next firing. Its status, folder and
 * notes stay. Until the same end again changes nothing.
 */
export const snooze: CommandRule<'snooze'> = {
  decide(alert, { end }, by) {
    if (!canSnooze(by.actor, alert)) return whyNotTheirs(alert);
    if (alert.status === 'completed') return 'completed';
    if (end === UNTIL_NEXT_FIRING && !canFireAgain(alert)) return 'fires_once';
    if (alert.snoozedUntil === end) return 'unchanged';
    const snoozedUntil = presentSnoozedUntil(end);
    return {
      set: { snoozedUntil: end, wokenAt: null },
      entries: [{ action: 'snoozed', snoozedUntil: end }],
      event: { change: 'snoozed', ...concerned(alert, by), ...(snoozedUntil && { snoozedUntil }) },
    };
  },
  errors: {
    ...NOT_THEIRS,
    completed: 'A completed alert cannot be snoozed.',
    fires_once: 'This alert never fires again: its sender names no problem. Choose a time.',
  },
};

/** Ends a snooze. An alert that is not snoozed stays as it is. */
export const wake: CommandRule<'wake'> = {
  decide(alert, _command, by) {
    if (!canSnooze(by.actor, alert)) return whyNotTheirs(alert);
    if (alert.snoozedUntil === null) return 'unchanged';
    return {
      set: { snoozedUntil: null, wokenAt: null },
      entries: [{ action: 'woken' }],
      event: { change: 'woken', ...concerned(alert, by) },
    };
  },
  errors: NOT_THEIRS,
};
