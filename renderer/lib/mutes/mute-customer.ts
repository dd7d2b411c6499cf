import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CustomerMute } from '#backend/contract/mute.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { customerMutesQuery, mutedNamesQuery } from './get-customer-mutes.ts';

/** Whether I want to be notified of a customer. */
export interface CustomerMuteChange {
  customerId: string;
  name: string;
  muted: boolean;
}

/** `POST /api/customer-mutes`, or `DELETE /api/customer-mutes/{customerId}`. Throws an ApiError. */
export const muteCustomer = ({ customerId, muted }: CustomerMuteChange): Promise<undefined> =>
  muted
    ? apiSend('POST', '/api/customer-mutes', { body: { customerId } })
    : apiSend('DELETE', `/api/customer-mutes/${encodeURIComponent(customerId)}`);

/** Mutes or unmutes a customer: on screen at once, and back if that fails. */
export function useMuteCustomer() {
  const client = useQueryClient();
  const show = ({ customerId, name, muted }: CustomerMuteChange) => {
    client.setQueryData<CustomerMute[]>(customerMutesQuery.queryKey, (mutes) => {
      const others = mutes?.filter((mute) => mute.customerId !== customerId);
      return others && muted ? [...others, { customerId }] : others;
    });
    client.setQueryData<string[]>(mutedNamesQuery.queryKey, (names) => {
      const others = names?.filter((other) => other !== name);
      return others && muted ? [...others, name] : others;
    });
  };
  return useMutation({
    mutationFn: muteCustomer,
    // One after the other: of two clicks the later one counts.
    scope: { id: customerMutesQuery.queryKey.join('/') },
    onMutate: async (change) => {
      // An answer that is under way knows nothing of this.
      await client.cancelQueries({ queryKey: customerMutesQuery.queryKey });
      show(change);
    },
    onError: (_error, change) => show({ ...change, muted: !change.muted }),
  });
}
