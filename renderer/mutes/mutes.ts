import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import {
  type CustomerMute,
  alertTypeListSchema,
  customerMuteSchema,
  mutedNameListSchema,
} from '#backend/contract/mute.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';

export const customerMuteListSchema = z.array(customerMuteSchema);

/** `GET /api/customer-mutes`: the customers that I do not want to be notified of. */
export const customerMutesQuery = queryOptions<CustomerMute[]>({
  queryKey: ['/api/customer-mutes'],
  queryFn: ({ signal }) => apiGetAll('/api/customer-mutes', customerMuteListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/customer-mutes/names`: their names, as alerts have them. */
export const mutedNamesQuery = queryOptions<string[]>({
  queryKey: ['/api/customer-mutes', 'names'],
  queryFn: ({ signal }) => apiGetAll('/api/customer-mutes/names', mutedNameListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/alert-types/mutes`: the types that I do not want to be notified of. */
export const alertTypeMutesQuery = queryOptions<string[]>({
  queryKey: ['/api/alert-types', 'mutes'],
  queryFn: ({ signal }) => apiGetAll('/api/alert-types/mutes', alertTypeListSchema, { signal }),
  refetchOnMount: 'always',
});

/** The names of the customers that I have muted. */
export function useMutedCustomers(): ReadonlySet<string> {
  const { data: names } = useQuery({ ...mutedNamesQuery, refetchOnMount: false });
  return useMemo(() => new Set(names), [names]);
}
