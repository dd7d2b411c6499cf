import type { QueryClient } from '@tanstack/react-query';
import { type Alert, type WorkStatus, alertSchema } from '#backend/contract/alert.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { dropAlert, putAlert } from './alert-pages.ts';
import { changeAlertList } from './change-alert-list.ts';
import { isSettledElsewhere, refetchAlertLists } from './refetch-alert-list.ts';

/** `PATCH /api/webhooks/{id}/status`. Throws an ApiError. */
export const setAlertStatus = (id: string, status: WorkStatus): Promise<Alert> =>
  apiSend('PATCH', `/api/webhooks/${encodeURIComponent(id)}/status`, { body: { status }, schema: alertSchema });

/** Shows the new status at once, and the old one again if that fails. */
export const setAlertStatusMutation = (client: QueryClient, alert: Alert, status: WorkStatus) => ({
  mutationFn: () => setAlertStatus(alert.id, status),
  onMutate: () => changeAlertList(client, '/api/alerts/mine', putAlert({ ...alert, status })),
  onError: (error: Error) => {
    changeAlertList(client, '/api/alerts/mine', isSettledElsewhere(error) ? dropAlert(alert.id) : putAlert(alert));
    refetchAlertLists(client);
  },
});
