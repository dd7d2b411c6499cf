import type { QueryClient } from '@tanstack/react-query';
import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { refetchAlertLists } from './refetch-alert-list.ts';
import { replaceAlert } from './replace-alert.ts';

/** `PATCH /api/webhooks/{id}/move`: into a folder of mine, or out of any (`null`). Throws an ApiError. */
export const moveAlert = (id: string, folderId: string | null): Promise<Alert> =>
  apiSend('PATCH', `/api/webhooks/${encodeURIComponent(id)}/move`, { body: { folderId }, schema: alertSchema });

/** Shows the alert in its new place at once, and back in the old one if that fails: then the lists tell what is so. */
export const moveAlertMutation = (client: QueryClient, me: string, alert: Alert, folderId: string | null) => {
  const moved = inFolder(alert, folderId);
  return {
    mutationFn: () => moveAlert(alert.id, folderId),
    onMutate: () => replaceAlert(client, me, alert, moved),
    onError: () => {
      replaceAlert(client, me, moved, alert);
      refetchAlertLists(client);
    },
  };
};

/** The alert as it is in that folder, or in none. */
export function inFolder({ folderId: _folder, ...alert }: Alert, folderId: string | null): Alert {
  return folderId === null ? alert : { ...alert, folderId };
}
