import type { QueryClient } from '@tanstack/react-query';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';
import { replaceAlert } from './replace-alert.ts';

/** `POST /api/alerts/{id}/accept`. Throws an ApiError, 409 `Already accepted by {name}.` when someone was quicker. */
export const acceptAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/accept`, { schema: alertSchema });

/** Moves the alert from the inbox to my queue at once, and back if that fails for another reason than its having gone. */
export const acceptAlertMutation = (client: QueryClient, me: Session, alert: Alert) => {
  const accepted: Alert = { ...alert, status: 'accepted', ownerId: me.id, ownerName: me.displayName };
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
