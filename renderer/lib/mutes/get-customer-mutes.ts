import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type CustomerMute, customerMuteSchema, mutedNameListSchema } from '#backend/contract/mute.ts';
import { readAllPages } from './name-pages.ts';

export const customerMuteListSchema = z.array(customerMuteSchema);

/** `GET /api/customer-mutes`: the customers that I do not want to be notified of. */
export const customerMutesQuery = queryOptions<CustomerMute[]>({
  queryKey: ['/api/customer-mutes'],
  queryFn: ({ signal }) => readAllPages('/api/customer-mutes', customerMuteListSchema, signal),
  refetchOnMount: 'always',
});

/** `GET /api/customer-mutes/names`: their names, as alerts have them. */
export const mutedNamesQuery = queryOptions<string[]>({
  queryKey: ['/api/customer-mutes', 'names'],
  queryFn: ({ signal }) => readAllPages('/api/customer-mutes/names', mutedNameListSchema, signal),
  refetchOnMount: 'always',
});
