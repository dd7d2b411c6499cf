import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { QueryClient } from '@tanstack/react-query';
import { type Alert, type Snooze, alertSchema, type WorkStatus } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { isSettledElsewhere } from '#renderer/toasts/undoable-deletion.ts';
import { asAccepted, asPending, asTouched, awake, inFolder, snoozed } from './alert-changes.ts';
import type { OwnChange } from './alert-entry.ts';
import { alertStoreOf, refetchAlertLists } from './list-cache.ts';
import { snoozeEnd } from './snooze.ts';

/** A change of one alert by the person at this screen. */
interface AlertCommand {
  /** The alert as it will be, which is shown at once. */
  change: (alert: Alert) => Alert;
  /** Asks the server for it. Throws an ApiError. */
  send: () => Promise<Alert>;
  /** Several members try the same, and all but one fail: no list is read again for that. */
  isRace?: boolean;
  /** That something was not found (404) may be said of a folder, not of the alert. */
  isOfFolder?: boolean;
}

const pathOfAlert = ({ id }: Alert): string => `/api/alerts/${encodeURIComponent(id)}`;
const pathOfWork = ({ id }: Alert): string => `/api/webhooks/${encodeURIComponent(id)}`;

/** `POST /api/alerts/{id}/accept`: from the inbox to my queue. 409 `Already accepted by {name}.` when someone was quicker. */
export const acceptCommand = (alert: Alert, me: Session): AlertCommand => ({
  change: (one) => (isEverybodys(one) ? asAccepted(one, me.id, me.displayName) : one),
  send: () => apiSend('POST', `${pathOfAlert(alert)}/accept`, { schema: alertSchema }),
  isRace: true,
});

/** `POST /api/alerts/{id}/unaccept`: from my queue or folder back to the inbox. */
export const unacceptCommand = (alert: Alert): AlertCommand => ({
  change: asPending,
  send: () => apiSend('POST', `${pathOfAlert(alert)}/unaccept`, { schema: alertSchema }),
});

/** `PATCH /api/webhooks/{id}/status`. */
export const statusCommand = (alert: Alert, status: WorkStatus): AlertCommand => ({
  change: (one) => ({ ...asTouched(awake(one)), status }),
  send: () => apiSend('PATCH', `${pathOfWork(alert)}/status`, { body: { status }, schema: alertSchema }),
});

/** `PATCH /api/webhooks/{id}/move`: into a folder of mine, or out of any (`null`). */
export const moveCommand = (alert: Alert, folderId: string | null): AlertCommand => ({
  change: (one) => asTouched(inFolder(one, folderId)),
  send: () => apiSend('PATCH', `${pathOfWork(alert)}/move`, { body: { folderId }, schema: alertSchema }),
  isOfFolder: folderId !== null,
});

/** `POST /api/alerts/{id}/snooze`, or `…/wake` (`null`): out of its lists, or back into them. */
export const snoozeCommand = (alert: Alert, snooze: Snooze | null): AlertCommand =>
  snooze === null
    ? { change: awake, send: () => apiSend('POST', `${pathOfAlert(alert)}/wake`, { schema: alertSchema }) }
    : {
        change: (one) => snoozed(one, snoozeEnd(snooze, new Date())),
        send: () => apiSend('POST', `${pathOfAlert(alert)}/snooze`, { body: snooze, schema: alertSchema }),
      };

/**
 * Runs a command apart from any component, which may be gone with its card before the answer comes. It is shown at once and
 * until it is answered. Commands of the same alert run one after the other, so that an undo never overtakes what it
 * undoes. Rejects with the command's error.
 */
export function runCommand(client: QueryClient, alert: Alert, command: AlertCommand): Promise<Alert> {
  const { change, send, isRace = false, isOfFolder = false } = command;
  const store = alertStoreOf(client);
  return client
    .getMutationCache()
    .build<Alert, Error, undefined, OwnChange>(client, {
      scope: { id: `alert ${alert.id}` },
      networkMode: 'always',
      retry: false,
      onMutate: () => store.begin([alert], change),
      mutationFn: send,
      onSuccess: (answer, _variables, own) => {
        store.batch(() => {
          if (store.end(own)) store.learn(answer);
        });
        if (own.isOvertaken) refetchAlertLists(client);
      },
      onError: (error, _variables, own) => {
        const isElsewhere = isSettledElsewhere(error);
        store.batch(() => {
          if (!own) return;
          if (isElsewhere && !isOfFolder) store.lose(own, alert.id);
          store.end(own);
        });
        if (!isElsewhere || !isRace) refetchAlertLists(client);
      },
    })
    .execute(undefined);
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
