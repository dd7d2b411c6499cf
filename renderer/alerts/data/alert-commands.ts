import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Alert, type Snooze, alertSchema, type WorkStatus } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { isSettledElsewhere } from '#renderer/toasts/undoable-deletion.ts';
import { refetchAlertLists, replaceAlert } from './list-cache.ts';
import { awake, snoozeEnd, snoozed } from './snooze.ts';

/** `POST /api/alerts/{id}/accept`. Throws an ApiError, 409 `Already accepted by {name}.` when someone was quicker. */
const acceptAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/accept`, { schema: alertSchema });

/** Moves the alert from the inbox to my queue at once, and back if that fails for another reason than its having gone. */
export const acceptAlertMutation = (client: QueryClient, me: Session, alert: Alert) => {
  const accepted: Alert = { ...awake(alert), status: 'accepted', ownerId: me.id, ownerName: me.displayName };
  return {
    mutationFn: () => acceptAlert(alert.id),
    onMutate: () => replaceAlert(client, me.id, alert, accepted),
    onError: (error: Error) => {
      if (isSettledElsewhere(error)) replaceAlert(client, me.id, accepted, undefined);
      else {
        replaceAlert(client, me.id, accepted, alert);
        refetchAlertLists(client);
      }
    },
  };
};

/** `POST /api/alerts/{id}/unaccept`. Throws an ApiError. */
const unacceptAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/unaccept`, { schema: alertSchema });

/** Moves the alert from my queue or folder back to the inbox at once, and back if that fails. */
export const unacceptAlertMutation = (client: QueryClient, me: string, alert: Alert) => {
  const pending = asPending(alert);
  return {
    mutationFn: () => unacceptAlert(alert.id),
    onMutate: () => replaceAlert(client, me, alert, pending),
    onError: (error: Error) => {
      replaceAlert(client, me, pending, isSettledElsewhere(error) ? undefined : alert);
      refetchAlertLists(client);
    },
  };
};

/** The alert as the inbox has it: without owner and folder. */
export function asPending({ ownerId: _owner, ownerName: _name, folderId: _folder, ...alert }: Alert): Alert {
  return { ...asTouched(awake(alert)), status: 'pending' };
}

/** The alert once somebody has changed something: who gave it to its owner, and for how long it was left, is over. */
export function asTouched({ assignment: _assignment, touchedAt: _touched, ...alert }: Alert): Alert {
  return alert;
}

/** The alert with its new owner, in the status that it had. One that the new owner has already worked on is left as it is. */
export function asAssigned(
  alert: Alert,
  {
    ownerId,
    ownerName,
    assignment,
  }: {
    ownerId: string;
    ownerName: string | null;
    assignment: Alert['assignment'];
  },
): Alert {
  if (alert.ownerId === ownerId) return alert;
  return {
    ...asTouched(inFolder(isEverybodys(alert) ? awake(alert) : alert, null)),
    status: isEverybodys(alert) ? 'accepted' : alert.status,
    ownerId,
    ownerName: ownerName ?? '',
    ...(assignment && { assignment }),
  };
}

/** `PATCH /api/webhooks/{id}/status`. Throws an ApiError. */
const setAlertStatus = (id: string, status: WorkStatus): Promise<Alert> =>
  apiSend('PATCH', `/api/webhooks/${encodeURIComponent(id)}/status`, { body: { status }, schema: alertSchema });

/** Shows the new status at once, and the old one again if that fails. */
export const setAlertStatusMutation = (client: QueryClient, me: string, alert: Alert, status: WorkStatus) => {
  const changed: Alert = { ...asTouched(awake(alert)), status };
  return {
    mutationFn: () => setAlertStatus(alert.id, status),
    onMutate: () => replaceAlert(client, me, alert, changed),
    onError: (error: Error) => {
      replaceAlert(client, me, changed, isSettledElsewhere(error) ? undefined : alert);
      refetchAlertLists(client);
    },
  };
};

/** `PATCH /api/webhooks/{id}/move`: into a folder of mine, or out of any (`null`). Throws an ApiError. */
const moveAlert = (id: string, folderId: string | null): Promise<Alert> =>
  apiSend('PATCH', `/api/webhooks/${encodeURIComponent(id)}/move`, { body: { folderId }, schema: alertSchema });

/** Shows the alert in its new place at once, and back in the old one if that fails: then the lists are fetched again. */
export const moveAlertMutation = (client: QueryClient, me: string, alert: Alert, folderId: string | null) => {
  const moved = inFolder(asTouched(alert), folderId);
  return {
    mutationFn: () => moveAlert(alert.id, folderId),
    onMutate: () => replaceAlert(client, me, alert, moved),
    onError: () => {
      replaceAlert(client, me, moved, alert);
      refetchAlertLists(client);
    },
  };
};

/** `POST /api/alerts/{id}/snooze`. Throws an ApiError. */
const snoozeAlert = (id: string, snooze: Snooze): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/snooze`, { body: snooze, schema: alertSchema });

/** `POST /api/alerts/{id}/wake`. Throws an ApiError. */
const wakeAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/wake`, { schema: alertSchema });

/** Takes the alert out of its lists at once, or brings it back into them (`null`); the other way round if that fails. */
export const snoozeAlertMutation = (client: QueryClient, me: string, alert: Alert, snooze: Snooze | null) => {
  const changed = snooze === null ? awake(alert) : snoozed(alert, snoozeEnd(snooze, new Date()));
  return {
    mutationFn: () => (snooze === null ? wakeAlert(alert.id) : snoozeAlert(alert.id, snooze)),
    onMutate: () => replaceAlert(client, me, alert, changed),
    onError: (error: Error) => {
      replaceAlert(client, me, changed, isSettledElsewhere(error) ? undefined : alert);
      refetchAlertLists(client);
    },
  };
};

/** The alert as it is in that folder, or in none. */
export function inFolder({ folderId: _folder, ...alert }: Alert, folderId: string | null): Alert {
  return folderId === null ? alert : { ...alert, folderId };
}

/**
 * `DELETE /api/webhooks/{id}`, of the alert as it was when that was decided: one that has another owner by now stays.
 * `keepalive` sends it even though the page is going away. Throws an ApiError, or what became of the alert.
 */
export async function deleteAlert({ id, ownerId }: Alert, { keepalive = false } = {}): Promise<void> {
  const path = `/api/webhooks/${encodeURIComponent(id)}?ifOwner=${encodeURIComponent(ownerId ?? 'none')}`;
  await apiSend('DELETE', path, { keepalive }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 409 ? new Error(error.body, { cause: error }) : error;
  });
}
