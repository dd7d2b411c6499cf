import { queryOptions } from '@tanstack/react-query';
import { type CustomerMute, customerMuteSchema } from '#backend/contract/mute.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

export const customerMuteListSchema = customerMuteSchema.array();

/** `GET /api/customer-mutes`: the customers that I do not want to be notified of. */
export const customerMutesQuery = queryOptions<CustomerMute[]>({
  queryKey: ['/api/customer-mutes'],
  queryFn: ({ signal }) => apiGet('/api/customer-mutes', customerMuteListSchema, { signal }),
  refetchOnMount: 'always',
});
