import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type ApiKey, apiKeySchema } from '#backend/contract/api-key.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';

const apiKeyListSchema = z.array(apiKeySchema);

/** `GET /api/api-keys`: all keys, newest first. Read anew whenever the page opens: the last use changes by itself. */
export const apiKeysQuery = queryOptions<ApiKey[]>({
  queryKey: ['/api/api-keys'],
  queryFn: ({ signal }) => apiGetAll('/api/api-keys', apiKeyListSchema, { signal }),
  refetchOnMount: 'always',
});
