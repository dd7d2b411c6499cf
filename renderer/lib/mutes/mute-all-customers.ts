import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomerMute } from '#backend/contract/mute.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { customerMuteListSchema, customerMutesQuery } from './get-customer-mutes.ts';

/** `POST /api/customer-mutes/bulk`: mutes every customer or none, in one call. Throws an ApiError. */
export const muteAllCustomers = (muted: boolean): Promise<CustomerMute[]> =>
  apiSend('POST', '/api/customer-mutes/bulk', { body: { muted }, schema: customerMuteListSchema });

/** Mutes or enables all customers, and shows the mutes that the server is left with. */
export function useMuteAllCustomers() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: muteAllCustomers,
    scope: { id: customerMutesQuery.queryKey.join('/') },
    onMutate: () => client.cancelQueries({ queryKey: customerMutesQuery.queryKey }),
    // The answer is the first page of many; also after a failure some may have changed.
    onSettled: () => client.invalidateQueries({ queryKey: customerMutesQuery.queryKey }),
  });
}
