import { authorOf } from '#backend/audit/audit-log.ts';
import { apiKeyIdParamsSchema, newApiKeySchema } from '#backend/contract/api-key.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/** Listing, creating and deleting API keys: for administrators (spec.md section 6). */
export function apiKeyRoutes({ apiKeys }: { apiKeys: ApiKeyStore }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/api-keys',
      who: ['admin'],
      handle: async () => ok(await apiKeys.list()),
    }),
    endpoint({
      method: 'POST',
      path: '/api/api-keys',
      who: ['admin'],
      body: newApiKeySchema,
      handle: async ({ actor, ip, body }) => created(await apiKeys.create(authorOf(actor, ip), body.name)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/api-keys/:id',
      who: ['admin'],
      params: apiKeyIdParamsSchema,
      handle: async ({ actor, ip, params }) => {
        if (!(await apiKeys.remove(authorOf(actor, ip), params.id)))
          throw notFound('There is no API key with this id.');
        return noContent();
      },
    }),
  ];
}
