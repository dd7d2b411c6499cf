import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type PushDevice,
  type PushTestResult,
  pushDeviceSchema,
  pushTestResultSchema,
} from '#backend/contract/push.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';

const deviceListSchema = z.array(pushDeviceSchema);

/** `GET /api/push/subscriptions`: the browsers that are told of my alerts. Throws an ApiError. */
export const fetchPushDevices = (signal?: AbortSignal): Promise<PushDevice[]> =>
  apiGet('/api/push/subscriptions', deviceListSchema, { ...(signal && { signal }) });

/** The same, cached. */
export const pushDevicesQuery = queryOptions<PushDevice[]>({
  queryKey: ['/api/push/subscriptions'],
  queryFn: ({ signal }) => fetchPushDevices(signal),
  refetchOnMount: 'always',
});

/** `DELETE /api/push/subscriptions/{id}`: that browser is told no more. */
export function useRemovePushDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend('DELETE', `/api/push/subscriptions/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: pushDevicesQuery.queryKey }),
  });
}

/** `POST /api/push/test`: the server sends a test message to this browser. Throws an ApiError. */
export const sendTestPush = (endpoint: string): Promise<PushTestResult> =>
  apiSend('POST', '/api/push/test', { body: { endpoint }, schema: pushTestResultSchema });
