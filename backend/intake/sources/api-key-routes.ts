import type { Database } from '#backend/platform/database/database.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import * as z from 'zod/mini';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  type ApiKey,
  apiKeyIdParamsSchema,
  apiKeySchema,
  createdApiKeySchema,
  newApiKeySchema,
} from '#backend/contract/api-key.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { createSource, deleteSource } from './source-commands.ts';
import { SourceEntity, type StoredSource } from './source-entity.ts';
import { type SourceRegistry, lastUseOf } from './source-registry.ts';

const present = ({ id, name, createdAt }: StoredSource, sources: SourceRegistry): ApiKey => {
  const lastUsedAt = lastUseOf(sources.get(id));
  return {
    id,
    name,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
};

/** List, create and delete API keys: sources with a key, in the words of older versions. For administrators. */
export function apiKeyRoutes(context: {
  database: Database;
  sources: SourceRegistry;
  sealing: Sealing;
  events: EventBus;
}): Endpoint[] {
  const { database, sources } = context;
  return [
    endpoint({
      method: 'GET',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'Lists the API keys that external systems use to send alerts; never the keys themselves.',
      access: ['admin'],
      isList: true,
      query: idPageQuerySchema,
      responses: { 200: z.array(apiKeySchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const { rows, headers } = await readIdPage(database.reads, SourceEntity, {}, query, '/api/api-keys');
        return ok(
          rows.map((row) => present(row, sources)),
          { headers },
        );
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/api-keys',
      tag: 'API keys',
      summary: 'Creates an API key and shows it, this once.',
      access: ['admin'],
      proof: 'always',
      body: newApiKeySchema,
      responses: { 201: createdApiKeySchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => {
        const by = { author: authorOf(actor, ip), displayName: actor.displayName };
        const { source, plain } = await createSource(context, by, { name: body.name, isApiKey: true });
        return created({ ...present(source, sources), plainKey: plain.key });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/api-keys/:id',
      tag: 'API keys',
      summary: 'Deletes an API key; whoever used it is refused from then on.',
      access: ['admin'],
      proof: 'always',
      params: apiKeyIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        if (!(await deleteSource(context, authorOf(actor, ip), params.id, 'api_key_deleted')))
          throw notFound('There is no API key with this id.');
        return noContent();
      },
    }),
  ];
}
