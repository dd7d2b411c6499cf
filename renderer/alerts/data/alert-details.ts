import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { type Alert, type AlertDetails, alertDetailsSchema } from '#backend/contract/alert.ts';
import { apiGetText, readAnswer } from '#renderer/lib/api-client.ts';

/** An alert as it is read by its id. */
export interface ReadAlert {
  alert: AlertDetails;
  /** The answer as it came, for what parsing loses: notation and order. Undefined while only a list's copy is known. */
  text?: string;
  /** It was deleted since. */
  isDeleted?: boolean;
}

/** Keys of what is read of alerts one by one begin with this, then comes the alert's id. */
export const ALERT_KEY = '/api/alert';
export const alertKey = (id: string) => [ALERT_KEY, id] as const;

/** `GET /api/alerts/{id}`. Throws an ApiError. */
const alertDetailsQuery = (id: string) =>
  queryOptions<ReadAlert>({
    queryKey: [...alertKey(id), 'details'],
    queryFn: async ({ signal }) => {
      const text = await apiGetText(`/api/alerts/${encodeURIComponent(id)}`, { signal });
      return { alert: readAnswer(text, alertDetailsSchema), text };
    },
    refetchOnMount: 'always',
    gcTime: 60_000,
  });

/** An alert by its id. `known` is shown, and follows live events, until the server has answered. */
export function useAlertDetails(id: string, known: AlertDetails | undefined) {
  return useQuery({
    ...alertDetailsQuery(id),
    ...(known && { initialData: { alert: known }, initialDataUpdatedAt: 0 }),
  });
}

/** Shows that an alert has become another, where it is open. */
export const showAlertDetails = (client: QueryClient, alert: Alert): void =>
  changeAlertDetails(client, alert.id, (now) => ({ ...now, alert: withPrevious(now, alert) }));

/** Changes what is known of an alert that is open. */
export function changeAlertDetails(client: QueryClient, id: string, change: (now: ReadAlert) => ReadAlert): void {
  client.setQueryData(alertDetailsQuery(id).queryKey, (now) => now && change(now));
}

const withPrevious = ({ alert: { previousAlert } }: ReadAlert, alert: Alert): AlertDetails => ({
  ...alert,
  ...(previousAlert && { previousAlert }),
});
