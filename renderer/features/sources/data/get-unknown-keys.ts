import { queryOptions } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { type UnknownKeys, type unknownKeySchema, unknownKeysSchema } from '#backend/contract/delivery.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import * as texts from './texts.ts';

/** Every query about unknown keys begins with this key. */
export const UNKNOWN_KEYS = '/api/unknown-keys';

/** Requests that came with one key, or none, from one address. */
export type UnknownKey = z.infer<typeof unknownKeySchema>;

/** `GET /api/unknown-keys`: requests that belong to no source, the latest first. */
export const unknownKeysQuery = queryOptions<UnknownKeys>({
  queryKey: [UNKNOWN_KEYS],
  queryFn: ({ signal }) => apiGet(UNKNOWN_KEYS, unknownKeysSchema, { signal }),
  refetchOnMount: 'always',
});

/** What stands for the key: masked, in an address when it came in one, or that there was none. */
export function keyLabel({ key, way, path }: Pick<UnknownKey, 'key' | 'way' | 'path'>): string {
  if (key === null) return texts.noKey;
  // An email's address.
  if (path === '/mail') return `${key}@`;
  return way === 'token' && !key.startsWith('/in/') ? `/in/${key}` : key;
}
