import { queryOptions } from '@tanstack/react-query';
import { type DefaultCredentials, defaultCredentialsSchema } from '#backend/contract/session.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/auth/default-credentials`: `null` when this page may not show them (404, contract.md section 4). */
export const defaultCredentialsQuery = queryOptions<DefaultCredentials | null>({
  queryKey: ['/api/auth/default-credentials'],
  queryFn: ({ signal }) =>
    apiGet('/api/auth/default-credentials', defaultCredentialsSchema, { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }),
});
