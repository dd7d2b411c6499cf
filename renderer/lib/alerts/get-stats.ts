import { queryOptions } from '@tanstack/react-query';
import { type AlertStats, alertStatsSchema } from '#backend/contract/alert.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/alerts/stats`: how many alerts there are, and of which status. Live events have it read again. */
export const statsQuery = queryOptions<AlertStats>({
  queryKey: ['/api/alerts/stats'],
  queryFn: ({ signal }) => apiGet('/api/alerts/stats', alertStatsSchema, { signal }),
  refetchOnMount: 'always',
});
