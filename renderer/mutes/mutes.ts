import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as z from 'zod/mini';
import {
  type CustomerMute,
  type SourceMute,
  alertTypeListSchema,
  customerMuteSchema,
  mutedNameListSchema,
  sourceMuteSchema,
} from '#backend/contract/mute.ts';
import { type SourceName, sourceNameListSchema } from '#backend/contract/source.ts';
import { apiGet, apiGetAll } from '#renderer/lib/api-client.ts';

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

const sourceMuteListSchema = z.array(sourceMuteSchema);

/** `GET /api/source-mutes`: the sources that I do not want to be notified of. */
export const sourceMutesQuery = queryOptions<SourceMute[]>({
  queryKey: ['/api/source-mutes'],
  queryFn: ({ signal }) => apiGetAll('/api/source-mutes', sourceMuteListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/source-names`: the sources that there are, by name. */
export const sourceNamesQuery = queryOptions<SourceName[]>({
  queryKey: ['/api/source-names'],
  queryFn: ({ signal }) => apiGet('/api/source-names', sourceNameListSchema, { signal }),
  refetchOnMount: 'always',
});

/** What I have muted that cards show: names of customers and ids of sources. */
export function useMutedOnCards(): ReadonlySet<string> {
  const { data: names } = useQuery({ ...mutedNamesQuery, refetchOnMount: false });
  const { data: sources } = useQuery({ ...sourceMutesQuery, refetchOnMount: false });
  return useMemo(
    () => new Set([...(names ?? []), ...(sources ?? []).map(({ sourceId }) => sourceId)]),
    [names, sources],
  );
}
