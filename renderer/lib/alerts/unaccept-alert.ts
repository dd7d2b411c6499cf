import type { QueryClient } from '@tanstack/react-query';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { dropAlert, putAlert } from './alert-pages.ts';
import { changeAlertList } from './change-alert-list.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';

/** `POST /api/alerts/{id}/unaccept`. Throws an ApiError. */
export const unacceptAlert = (id: string): Promise<Alert> =>
  apiSend('POST', `/api/alerts/${encodeURIComponent(id)}/unaccept`, { schema: alertSchema });

/** Moves the alert from my queue back to the inbox at once, and back if that fails. */
export const unacceptAlertMutation = (client: QueryClient, alert: Alert) => ({
  mutationFn: () => unacceptAlert(alert.id),
  onMutate: () => {
    changeAlertList(client, '/api/alerts/mine', dropAlert(alert.id));
    changeAlertList(client, '/api/alerts/inbox', putAlert(asPending(alert)));
  },
  onError: (error: Error) => {
    changeAlertList(client, '/api/alerts/inbox', dropAlert(alert.id));
    if (!isSettledElsewhere(error)) changeAlertList(client, '/api/alerts/mine', putAlert(alert));
    refetchAlertLists(client);
  },
});

/** The alert as the inbox has it: without owner and folder. */
export function asPending({ ownerId: _owner, ownerName: _name, folderId: _folder, ...alert }: Alert): Alert {
  return { ...alert, status: 'pending' };
}
