import * as z from 'zod/mini';
import { authorOf } from '#backend/audit/audit-log.ts';
import { apiKeyIdParamsSchema, apiKeySchema, createdApiKeySchema, newApiKeySchema } from '#backend/contract/api-key.ts';
import { idPageQuerySchema } from '#backend/contract/id-page.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import type { ApiKeyStore } from './api-key-store.ts';

/** List, create and delete API keys: for administrators. */
export function apiKeyRoutes({ apiKeys }: { apiKeys: ApiKeyStore }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'Lists the API keys by which outside systems send alerts; never the keys themselves.',
      who: ['admin'],
      isList: true,
      query: idPageQuerySchema,
      responses: { 200: z.array(apiKeySchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const { rows, headers } = await apiKeys.list(query);
        return ok(rows, { headers });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'Makes an API key and tells it, this once.',
      who: ['admin'],
      body: newApiKeySchema,
      responses: { 201: createdApiKeySchema },
      handle: async ({ actor, ip, body }) => created(await apiKeys.create(authorOf(actor, ip), body.name)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/api-keys/:id',
      tag: 'API keys',
      summary: 'Deletes an API key; whoever used it is refused from then on.',
      who: ['admin'],
      params: apiKeyIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        if (!(await apiKeys.remove(authorOf(actor, ip), params.id)))
          throw notFound('There is no API key with this id.');
        return noContent();
      },
    }),
  ];
}
