import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type ApiKey, type CreatedApiKey, apiKeySchema, createdApiKeySchema } from '#backend/contract/api-key.ts';
import { apiGetAll, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { formatLongDate } from '#renderer/lib/times.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';

const apiKeyListSchema = z.array(apiKeySchema);

/** `GET /api/api-keys`: all keys, newest first. Read again whenever the page opens: the last use changes by itself. */
export const apiKeysQuery = queryOptions<ApiKey[]>({
  queryKey: ['/api/api-keys'],
  queryFn: ({ signal }) => apiGetAll('/api/api-keys', apiKeyListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `POST /api/api-keys`. The answer is the only one that contains the key. Throws an ApiError. */
const createApiKey = (name: string): Promise<CreatedApiKey> =>
  apiSend('POST', '/api/api-keys', { body: { name }, schema: createdApiKeySchema });

/** Makes a key and puts it on top of the list, there without its plain text. */
export function useCreateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createApiKey,
    // The plain key goes to the caller, and is not kept among the mutations.
    gcTime: 0,
    onSuccess: ({ plainKey: _plainKey, ...key }) =>
      writeAnswer<ApiKey[]>(client, apiKeysQuery, (keys) => keys && [key, ...keys]),
  });
}

/** `DELETE /api/api-keys/{id}`: ends the key at once. Throws an ApiError. */
const deleteApiKey = (id: string): Promise<void> => deleteAt(`/api/api-keys/${encodeURIComponent(id)}`);

/** Ends a key and takes it off the list. */
export function useDeleteApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: deleteApiKey,
    onSuccess: (_nothing, id) =>
      writeAnswer<ApiKey[]>(client, apiKeysQuery, (keys) => keys?.filter((key) => key.id !== id)),
  });
}

/** When a key was last used: a long date, or that it never was. */
export const lastUsedLabel = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt === null ? pageTexts.neverUsed : texts.lastUsed(formatLongDate(new Date(lastUsedAt)));
