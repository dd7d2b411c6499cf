import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { Alert, Snooze, WorkStatus } from '#backend/contract/alert.ts';
import type { Folder } from '#backend/contract/folder.ts';
import {
  asAccepted,
  asAssigned,
  asPending,
  asTouched,
  awake,
  inFolder,
  inStatus,
  snoozed,
} from '#renderer/alerts/data/alert-changes.ts';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { snoozeEnd, untilLabel } from '#renderer/alerts/data/snooze.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { type AlertChange, callOf } from './alert-change.ts';
import * as texts from './texts.ts';

/** A member: the one at this screen, or to whom alerts are given. */
export interface Person {
  id: string;
  displayName: string;
}

/** What is nobody's becomes mine by what I do with it. */
const asMine = (alert: Alert, me: Person): Alert =>
  isEverybodys(alert) ? asAccepted(alert, me.id, me.displayName) : alert;

/**
 * From the inbox to my queue, started or completed if that is said. 409 `Already accepted by {name}.` when someone was
 * quicker.
 */
export function acceptChange(me: Person, status?: keyof typeof ACCEPTED_AND): AlertChange {
  const also = status === undefined ? '' : texts.andThen(ACCEPTED_AND[status]);
  const now = new Date().toISOString();
  return {
    request: { action: 'accept', ...(status && { status }) },
    send: callOf('POST', '/api/alerts', status ? `accept?status=${status}` : 'accept'),
    apply: (alert) => (isEverybodys(alert) ? inStatus(asMine(alert, me), status ?? 'accepted', now) : alert),
    title: texts.alertAccepted(also),
    description: texts.movedToYourQueue,
    done: texts.accepted(also),
    failed: texts.couldNotAcceptAlert,
    isRace: true,
  };
}

const ACCEPTED_AND = { 'in-progress': texts.started, completed: texts.completed } as const;

/** From a queue or folder back to the inbox. */
export const UNACCEPT: AlertChange = {
  request: { action: 'unaccept' },
  send: callOf('POST', '/api/alerts', 'unaccept'),
  apply: asPending,
  title: texts.alertUnaccepted,
  description: texts.returnedToInbox,
  done: texts.unaccepted,
  failed: texts.couldNotReturnAlert,
};

/** The same, where it still has the owner whom it had when that was decided. */
export const unacceptOf = (ifOwner: string): AlertChange => ({
  ...UNACCEPT,
  request: { action: 'unaccept', ifOwner },
  send: callOf('POST', '/api/alerts', `unaccept?ifOwner=${encodeURIComponent(ifOwner)}`),
});

/** Another status of an alert of mine. @param again when it was completed before it was reopened, which is undone */
export function statusChange(status: WorkStatus, again?: { completedAt?: string | undefined }): AlertChange {
  const at = again?.completedAt ?? new Date().toISOString();
  const body = { status, ...(again && { restoresCompletion: true as const }) };
  return {
    request: { action: 'status', ...body },
    send: callOf('PATCH', '/api/webhooks', 'status', body),
    apply: (alert) => inStatus(asTouched(awake(alert)), status, at),
    title: texts.statusUpdated,
    description: texts.alertStatusChangedTo(STATUS_LABELS[status]),
    done: texts.changedTo(STATUS_LABELS[status]),
    doneDescription: undefined,
    failed: texts.couldNotChangeStatus,
  };
}

/** Into a folder of mine, or out of any (`null`). What is nobody's is accepted on the way. */
export function moveChange(folder: Pick<Folder, 'id' | 'name'> | null, me: Person): AlertChange {
  const folderId = folder?.id ?? null;
  const apply = (alert: Alert): Alert => asTouched(inFolder(asMine(alert, me), folderId));
  return {
    request: { action: 'move', folderId },
    send: (alert) =>
      isEverybodys(alert)
        ? import('./accept-into.ts').then(({ acceptInto }) => acceptInto(folderId, alert, apply(alert)))
        : callOf('PATCH', '/api/webhooks', 'move', { folderId })(alert),
    apply,
    title: texts.alertMoved,
    description: folder ? texts.movedTo(inertLine(folder.name)) : texts.movedToMyAlerts,
    done: texts.moved,
    failed: texts.couldNotMoveAlert,
    isOfFolder: folder !== null,
  };
}

/** Out of its lists until a time, or until it fires again. */
export function snoozeChange(snooze: Snooze): AlertChange {
  const now = new Date();
  const until = snoozeEnd(snooze, now);
  const label = untilLabel(until, now);
  return {
    request: { action: 'snooze', ...snooze },
    send: callOf('POST', '/api/alerts', 'snooze', snooze),
    apply: (alert) => snoozed(alert, until),
    title: texts.alertSnoozed,
    description: `${label.charAt(0).toUpperCase()}${label.slice(1)}`,
    done: texts.snoozed,
    failed: texts.couldNotSnoozeAlert,
  };
}

/** Back into its lists. */
export const WAKE: AlertChange = {
  request: { action: 'wake' },
  send: callOf('POST', '/api/alerts', 'wake'),
  apply: awake,
  title: texts.alertUnsnoozed,
  done: texts.woken,
  failed: texts.couldNotUnsnoozeAlert,
};

/** To another member, with status, notes and history. `ifOwner` is whose the alerts were when that was decided. */
export function assignChange(to: Person, ifOwner?: string): AlertChange {
  const body = { userId: to.id, ...(ifOwner !== undefined && { ifOwner }) };
  const name = inertLine(to.displayName);
  return {
    request: { action: 'assign', ...body },
    send: callOf('POST', '/api/alerts', 'assign', body),
    apply: (alert) => asAssigned(alert, { ownerId: to.id, ownerName: to.displayName, assignment: undefined }),
    title: texts.alertAssigned,
    description: texts.assignedTo(name),
    done: texts.assignedInText(name),
    doneDescription: undefined,
    failed: texts.couldNotAssignAlert,
  };
}
