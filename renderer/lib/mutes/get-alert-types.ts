import { queryOptions } from '@tanstack/react-query';
import { alertTypeListSchema } from '#backend/contract/mute.ts';
import { namePagesQuery, readAllPages } from './name-pages.ts';

/** `GET /api/alert-types`: the types that alerts have named, page by page. */
export const alertTypesQuery = namePagesQuery('/api/alert-types', alertTypeListSchema);

/** `GET /api/alert-types/mutes`: the types that I do not want to be notified of. */
export const alertTypeMutesQuery = queryOptions<string[]>({
  queryKey: ['/api/alert-types', 'mutes'],
  queryFn: ({ signal }) => readAllPages('/api/alert-types/mutes', alertTypeListSchema, signal),
  refetchOnMount: 'always',
});
