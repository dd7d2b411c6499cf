import { isEverybodys } from '#backend/contract/alert-place.ts';
import { type Alert, type Snooze, type SnoozedUntil, type WorkStatus, alertSchema } from '#backend/contract/alert.ts';
import type { BulkChange, BulkResult } from '#backend/contract/bulk.ts';
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
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as texts from './texts.ts';

type Without<Request> = Request extends unknown
  ? Omit<Request, 'ids' | 'filter' | 'expectedCount' | 'expectsMore' | 'upTo' | 'before'>
  : never;

/** The body of `POST /api/alerts/bulk` without which alerts it is about. */
export type ChangeRequest = Without<BulkChange>;

/** How an alert stood before a change, by which the change is taken back. */
export type AlertStanding = BulkResult['changed'][number];

/** A change of alerts: of one, of many, and what undo is made of. */
export interface AlertChange {
  /** What is asked for of many. */
  request: ChangeRequest;
  /** Asks for it of one. Throws an ApiError. */
  send: (alert: Alert) => Promise<Alert>;
  /** The alert as it will be, which is shown at once. It reads nothing of the alert but its {@link AlertStanding}. */
  apply: (alert: Alert) => Alert;
  /** The result for one alert: "Alert accepted". */
  title: string;
  description?: string;
  /** The result after a number: "accepted". */
  done: string;
  /** What is said under that; `description` by default. */
  doneDescription?: string | undefined;
  /** Why nothing came of it: "Could not accept the alert". */
  failed: string;
  /** Several members try the same, and all but one fail: no list is read again for that. */
  isRace?: boolean;
  /** That something was not found (404) may be said of a folder, not of the alert. */
  isOfFolder?: boolean;
}

/** Calls `{method} {path}/{id}/{call}`, which answers with the alert. */
export const callOf =
  (method: 'POST' | 'PATCH', path: '/api/alerts' | '/api/webhooks', call: string, body?: object) =>
  ({ id }: Pick<Alert, 'id'>): Promise<Alert> =>
    apiSend(method, `${path}/${encodeURIComponent(id)}/${call}`, { ...(body && { body }), schema: alertSchema });

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

/** {@link acceptChange} for an action of the table, which gives the alert and the member. */
export const accepting =
  (status?: keyof typeof ACCEPTED_AND) =>
  (_alert: Alert | undefined, me: Person): AlertChange =>
    acceptChange(me, status);

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

/** One step of taking a change back. */
export interface UndoStep {
  change: AlertChange;
  ids: string[];
}

/** How an alert stood, with when it was completed where that is known here. */
type Standing = AlertStanding & Pick<Alert, 'completedAt'>;

/** Whose an alert is comes first: what follows is for its owner to do. */
const STAGES: readonly ChangeRequest['action'][] = [
  'unaccept',
  'accept',
  'assign',
  'status',
  'move',
  'wake',
  'snooze',
  'delete',
];

/**
 * What takes a change back, in order: each alert becomes what it was before.
 *
 * @param before how the alerts stood
 * @param me who made the change, and takes it back
 */
export function undoSteps(change: AlertChange, before: readonly Standing[], me: Person): UndoStep[] {
  const steps = new Map<string, UndoStep>();
  for (const was of before) {
    for (const back of changesBack(change, was, me)) {
      const key = JSON.stringify(back.request);
      const known = steps.get(key);
      if (known) known.ids.push(was.id);
      else steps.set(key, { change: back, ids: [was.id] });
    }
  }
  return [...steps.values()].sort((one, other) => stageOf(one) - stageOf(other));
}

const stageOf = ({ change }: UndoStep): number => STAGES.indexOf(change.request.action);

/** What makes of one alert what it was before a change. */
function changesBack(change: AlertChange, was: Standing, me: Person): AlertChange[] {
  const back: AlertChange[] = [];
  // A change reads no more of an alert than how it stands.
  let now = change.apply(was as Alert);
  const step = (next: AlertChange): void => {
    back.push(next);
    now = next.apply(now);
  };
  const { ownerId, status, folderId, snoozedUntil } = was;
  const wasReturned = isEverybodys(now);
  if (isEverybodys(was)) {
    if (!isEverybodys(now)) step(now.ownerId === undefined ? UNACCEPT : unacceptOf(now.ownerId));
  } else {
    if (wasReturned && (ownerId ?? me.id) === me.id) step(acceptChange(me));
    else if (ownerId !== undefined && ownerId !== now.ownerId)
      step(assignChange({ id: ownerId, displayName: '' }, now.ownerId ?? 'none'));
    if (status !== 'pending' && status !== now.status)
      step(statusChange(status, status === 'completed' && !wasReturned ? was : undefined));
    // Only their owner knows the folders.
    if (folderId !== now.folderId && (ownerId ?? me.id) === me.id)
      step(moveChange(folderId === undefined ? null : { id: folderId, name: '' }, me));
  }
  if (snoozedUntil !== now.snoozedUntil) {
    if (snoozedUntil === undefined) step(WAKE);
    else if (!isOver(snoozedUntil)) step(snoozeChange({ until: snoozedUntil }));
  }
  return back;
}

const isOver = (until: SnoozedUntil): boolean => until !== 'next-firing' && Date.parse(until) <= Date.now();
