import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '#backend/contract/api-key.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { apiKeysQuery } from './get-api-keys.ts';

/** `DELETE /api/api-keys/{id}`: ends the key at once. One that is gone already is gone. Throws an ApiError. */
export async function deleteApiKey(id: string): Promise<void> {
  try {
    await apiSend('DELETE', `/api/api-keys/${encodeURIComponent(id)}`);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Ends a key and takes it off the list. */
export function useDeleteApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteApiKey,
    onSuccess: (_nothing, id) =>
      client.setQueryData<ApiKey[]>(apiKeysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id)),
  });
}
