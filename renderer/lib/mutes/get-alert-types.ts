import { queryOptions } from '@tanstack/react-query';
import { alertTypeListSchema } from '#backend/contract/mute.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/alert-types`: every type that alerts have named. Read anew when a page opens: no event tells of them. */
export const alertTypesQuery = queryOptions<string[]>({
  queryKey: ['/api/alert-types'],
  queryFn: ({ signal }) => apiGet('/api/alert-types', alertTypeListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `GET /api/alert-types/mutes`: the types that I do not want to be notified of. */
export const alertTypeMutesQuery = queryOptions<string[]>({
  queryKey: ['/api/alert-types', 'mutes'],
  queryFn: ({ signal }) => apiGet('/api/alert-types/mutes', alertTypeListSchema, { signal }),
  refetchOnMount: 'always',
});
