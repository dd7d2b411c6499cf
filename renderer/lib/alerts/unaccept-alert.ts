import type { QueryClient } from '@tanstack/react-query';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';
import { replaceAlert } from './replace-alert.ts';

/** `POST /api/alerts/{id}/unaccept`. Throws an ApiError. */
export const unacceptAlert = (id: string): Promise<Alert> =>
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
  return { ...alert, status: 'pending' };
}
