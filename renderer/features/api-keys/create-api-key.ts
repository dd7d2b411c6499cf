import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ApiKey, type CreatedApiKey, createdApiKeySchema } from '#backend/contract/api-key.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { apiKeysQuery } from './get-api-keys.ts';

/** `POST /api/api-keys`. The answer is the only one that ever tells the key. Throws an ApiError. */
export const createApiKey = (name: string): Promise<CreatedApiKey> =>
  apiSend('POST', '/api/api-keys', { body: { name }, schema: createdApiKeySchema });

/** Makes a key and puts it on top of the list, there without its plain text. */
export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createApiKey,
    // The plain key goes to whoever asked, and is not kept among the mutations.
    gcTime: 0,
    onSuccess: ({ plainKey: _plainKey, ...key }) =>
      client.setQueryData<ApiKey[]>(apiKeysQuery.queryKey, (keys) => keys && [key, ...keys]),
  });
}
