import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type NewSource,
  type SecretKind,
  type Source,
  type SourceChange,
  type SourceSettings,
  type SourceWithSecrets,
  sourceSchema,
  sourceWithSecretsSchema,
} from '#backend/contract/source.ts';
import { ApiError, apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { SOURCES, dropSource, putSource, sourcePath } from './get-sources.ts';
import * as texts from './texts.ts';

/** `POST /api/sources`. The answer is the only one with the new secrets. Throws an ApiError, 409 for a name that exists. */
export const createSource = (input: NewSource): Promise<SourceWithSecrets> =>
  apiSend('POST', SOURCES, { body: input, schema: sourceWithSecretsSchema });

/** Somebody else has changed the same of a source since the change was decided. */
export class ChangedMeanwhileError extends Error {
  override name = 'ChangedMeanwhileError';

  constructor() {
    super(texts.someoneElseChangedItIn);
  }
}

/** How often a change is tried again when others change something else of the source at the same moment. */
const MAX_ATTEMPTS = 5;

/**
 * `PATCH /api/sources/{id}?ifVersion=`: changes the source as it was `seen`. Where others have changed something else of it
 * since, the change is made all the same. The cache has the source afterwards, as changed or as others have changed it.
 * Throws a ChangedMeanwhileError where they have changed the same, else an ApiError.
 */
export async function changeSource(client: QueryClient, seen: Source, change: SourceChange): Promise<Source> {
  let { version } = seen;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const path = `${sourcePath(seen.id)}?ifVersion=${version}`;
      const changed = await apiSend('PATCH', path, { body: change, schema: sourceSchema });
      putSource(client, changed);
      return changed;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || attempt === MAX_ATTEMPTS) throw error;
      const present = await apiGet(sourcePath(seen.id), sourceSchema);
      // It is refused for another reason, such as a name that is taken.
      if (present.version === version) throw error;
      putSource(client, present);
      if (!isSameFor(change, seen, present)) throw new ChangedMeanwhileError();
      ({ version } = present);
    }
  }
}

/** Whether two versions of a source agree in what a change is about. */
function isSameFor({ name, isPaused, settings = {} }: SourceChange, one: Source, other: Source): boolean {
  const keys = Object.keys(settings) as (keyof SourceSettings)[];
  return (
    (name === undefined || one.name === other.name) &&
    (isPaused === undefined || one.pausedAt === other.pausedAt) &&
    keys.every((key) => JSON.stringify(one.settings[key]) === JSON.stringify(other.settings[key]))
  );
}

/** `POST /api/sources/{id}/rotate`: a new secret, while the old one works for another 24 hours. Throws an ApiError. */
export const rotateSecret = (id: string, kind: 'key' | 'token'): Promise<SourceWithSecrets> =>
  apiSend('POST', `${sourcePath(id)}/rotate`, { body: { kind }, schema: sourceWithSecretsSchema });

/** The same with a key that senders have already. Throws an ApiError. */
export const takeOverKey = (id: string, ownKey: string): Promise<SourceWithSecrets> =>
  apiSend('POST', `${sourcePath(id)}/rotate`, { body: { kind: 'key', ownKey }, schema: sourceWithSecretsSchema });

/** `POST /api/sources/{id}/signing-secrets`: keeps the secret with which the sender signs. Throws an ApiError. */
export const addSigningSecret = (id: string, secret: string): Promise<Source> =>
  apiSend('POST', `${sourcePath(id)}/signing-secrets`, { body: { secret }, schema: sourceSchema });

/** `DELETE /api/sources/{id}/secrets/{secretId}`: the secret ends at once. Throws an ApiError. */
export const expireSecret = (id: string, secretId: string): Promise<void> =>
  deleteAt(`${sourcePath(id)}/secrets/${encodeURIComponent(secretId)}`);

/** `DELETE /api/sources/{id}`. Throws an ApiError. */
export const deleteSource = (id: string): Promise<void> => deleteAt(sourcePath(id));

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
    // The answer has no source.
    onSuccess: () => client.invalidateQueries({ queryKey: [SOURCES] }),
  });
}

export function useDeleteSource() {
  const client = useQueryClient();
  return useMutation({ mutationFn: deleteSource, onSuccess: (_nothing, id) => dropSource(client, id) });
}
