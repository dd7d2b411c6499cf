import type { QueryClient } from '@tanstack/react-query';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { dropAlert, putAlert } from './alert-pages.ts';
import { changeAlertList } from './change-alert-list.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';

/** `POST /api/alerts/{id}/accept`. Throws an ApiError, 409 `Already accepted by {name}.` when someone was quicker. */
export const acceptAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/accept`, { schema: alertSchema });

/** Moves the alert from the inbox to my queue at once, and back if that fails for another reason than its having gone. */
export const acceptAlertMutation = (client: QueryClient, me: Session, alert: Alert) => ({
  mutationFn: () => acceptAlert(alert.id),
  onMutate: () => {
    const accepted: Alert = { ...alert, status: 'accepted', ownerId: me.id, ownerName: me.displayName };
    changeAlertList(client, '/api/alerts/inbox', dropAlert(alert.id));
    changeAlertList(client, '/api/alerts/mine', putAlert(accepted));
  },
  onError: (error: Error) => {
    changeAlertList(client, '/api/alerts/mine', dropAlert(alert.id));
    if (isSettledElsewhere(error)) return;
    changeAlertList(client, '/api/alerts/inbox', putAlert(alert));
    refetchAlertLists(client);
  },
});
