import type { QueryClient } from '@tanstack/react-query';
import { type Alert, type WorkStatus, alertSchema } from '#backend/contract/alert.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';
import { replaceAlert } from './replace-alert.ts';

/** `PATCH /api/webhooks/{id}/status`. Throws an ApiError. */
export const setAlertStatus = (id: string, status: WorkStatus): Promise<Alert> =>
  apiSend('PATCH', `/api/webhooks/${encodeURIComponent(id)}/status`, { body: { status }, schema: alertSchema });

/** Shows the new status at once, and the old one again if that fails. */
export const setAlertStatusMutation = (client: QueryClient, me: string, alert: Alert, status: WorkStatus) => {
  const changed: Alert = { ...alert, status };
  return {
    mutationFn: () => setAlertStatus(alert.id, status),
    onMutate: () => replaceAlert(client, me, alert, changed),
    onError: (error: Error) => {
      replaceAlert(client, me, changed, isSettledElsewhere(error) ? undefined : alert);
      refetchAlertLists(client);
    },
  };
};
