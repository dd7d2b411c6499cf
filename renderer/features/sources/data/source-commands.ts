import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type NewSource,
  type SecretKind,
  type Source,
  type SourceChange,
  type SourceWithSecrets,
  sourceSchema,
  sourceWithSecretsSchema,
} from '#backend/contract/source.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';
import { SOURCES, dropSource, putSource, sourcePath } from './get-sources.ts';

/** `POST /api/sources`. The answer is the only one with the new secrets. Throws an ApiError, 409 for a name that exists. */
export const createSource = (input: NewSource): Promise<SourceWithSecrets> =>
  apiSend('POST', SOURCES, { body: input, schema: sourceWithSecretsSchema });

/** `PATCH /api/sources/{id}`. Throws an ApiError. */
export const changeSource = (id: string, change: SourceChange): Promise<Source> =>
  apiSend('PATCH', sourcePath(id), { body: change, schema: sourceSchema });

/** `POST /api/sources/{id}/rotate`: a new secret, while the old one works for another 24 hours. Throws an ApiError. */
export const rotateSecret = (id: string, kind: 'key' | 'token'): Promise<SourceWithSecrets> =>
  apiSend('POST', `${sourcePath(id)}/rotate`, { body: { kind }, schema: sourceWithSecretsSchema });

/** `POST /api/sources/{id}/signing-secrets`: keeps the secret with which the sender signs. Throws an ApiError. */
export const addSigningSecret = (id: string, secret: string): Promise<Source> =>
  apiSend('POST', `${sourcePath(id)}/signing-secrets`, { body: { secret }, schema: sourceSchema });

/** `DELETE /api/sources/{id}/secrets/{secretId}`: the secret ends at once. Throws an ApiError. */
export const expireSecret = (id: string, secretId: string): Promise<Source> =>
  apiSend('DELETE', `${sourcePath(id)}/secrets/${encodeURIComponent(secretId)}`, { schema: sourceSchema });

/** `DELETE /api/sources/{id}`. One that is gone already is gone. Throws an ApiError. */
export async function deleteSource(id: string): Promise<void> {
  try {
    await apiSend('DELETE', sourcePath(id));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}

/** Creates a source. The secrets go to the caller alone: neither the cache nor the mutation keeps them. */
export function useCreateSource() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createSource,
    gcTime: 0,
    onSuccess: ({ source }) => putSource(client, source),
  });
}

/** Rotates a secret; the new one goes to the caller alone. */
export function useRotateSecret(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (kind: Exclude<SecretKind, 'signing'>) => rotateSecret(id, kind),
    gcTime: 0,
    onSuccess: ({ source }) => putSource(client, source),
  });
}

/** Changes a source and shows what became of it. */
export function useChangeSource(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: SourceChange) => changeSource(id, change),
    onSuccess: (source) => putSource(client, source),
  });
}

export function useAddSigningSecret(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (secret: string) => addSigningSecret(id, secret),
    gcTime: 0,
    onSuccess: (source) => putSource(client, source),
  });
}

export function useExpireSecret(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (secretId: string) => expireSecret(id, secretId),
    onSuccess: (source) => putSource(client, source),
  });
}

export function useDeleteSource() {
  const client = useQueryClient();
  return useMutation({ mutationFn: deleteSource, onSuccess: (_nothing, id) => dropSource(client, id) });
}
