import { queryOptions } from '@tanstack/react-query';
import { type DefaultCredentials, defaultCredentialsSchema } from '#backend/contract/session.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';

/**
 * `GET /api/auth/default-credentials`: `null` when the server does not show them (404).
 *
 * @param setupToken the token of the address that the first start printed
 */
export const defaultCredentialsQuery = (setupToken: string) =>
  queryOptions<DefaultCredentials | null>({
    queryKey: ['/api/auth/default-credentials', setupToken],
    queryFn: ({ signal }) =>
      apiGet('/api/auth/default-credentials', defaultCredentialsSchema, { signal, bearerToken: setupToken }).catch(
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null;
          throw error;
        },
      ),
  });
