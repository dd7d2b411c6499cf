import type { Database } from '#backend/platform/database/database.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import * as z from 'zod/mini';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  apiTokenParamsSchema,
  apiTokenSchema,
  createdApiTokenSchema,
  createdServiceTokenSchema,
  newApiTokenSchema,
  newServiceTokenSchema,
  serviceTokenSchema,
} from '#backend/contract/api-token.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { ApiTokenEntity, presentApiToken } from '#backend/identity/sessions/api-token.ts';
import {
  createApiToken,
  createServiceToken,
  listServices,
  revokeApiToken,
  revokeServiceToken,
} from './token-commands.ts';

/** A member's own API tokens, and the service tokens of an installation, which administrators manage. */
export function tokenRoutes(context: { database: Database; securityMails: SecurityMails }): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/tokens',
      tag: 'API tokens',
      summary: 'Lists your own API tokens, newest first; never the tokens themselves.',
      access: 'member',
      responses: { 200: z.array(apiTokenSchema) },
      handle: async ({ actor }) => {
        const tokens = database.reads.getRepository(ApiTokenEntity);
        return ok((await tokens.find({ where: { userId: actor.id }, order: { id: 'DESC' } })).map(presentApiToken));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/tokens',
      tag: 'API tokens',
      summary: 'Creates an API token that acts for you, and shows it, this once.',
      access: 'member',
      proof: 'always',
      body: newApiTokenSchema,
      responses: { 201: createdApiTokenSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => {
        const { token, plain } = await createApiToken(context, { ...authorOf(actor, ip), id: actor.id }, body);
        return created({ ...presentApiToken(token), plainToken: plain });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/tokens/:id',
      tag: 'API tokens',
      summary: 'Revokes one of your own API tokens; whoever uses it is refused from then on.',
      access: 'member',
      proof: 'always',
      params: apiTokenParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await revokeApiToken(context, { ...authorOf(actor, ip), id: actor.id }, params.id);
        return noContent();
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/service-tokens',
      tag: 'API tokens',
      summary: 'Lists the service tokens of this installation, newest first; never the tokens themselves.',
      access: ['admin'],
      responses: { 200: z.array(serviceTokenSchema) },
      handle: async () =>
        ok((await listServices(database.reads)).map(({ token, user }) => presentService(token, user))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/service-tokens',
      tag: 'API tokens',
      summary: 'Creates a token for a service that acts under its own name, and shows it, this once.',
      access: ['admin'],
      proof: 'always',
      body: newServiceTokenSchema,
      responses: { 201: createdServiceTokenSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => {
        const { token, user, plain } = await createServiceToken(context, authorOf(actor, ip), body);
        return created({ ...presentService(token, user), plainToken: plain });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/service-tokens/:id',
      tag: 'API tokens',
      summary: 'Revokes a service token. Alerts that its service works on return to the inbox.',
      access: ['admin'],
      proof: 'always',
      params: apiTokenParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await revokeServiceToken(context, authorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}

const presentService = (token: Parameters<typeof presentApiToken>[0], { role }: { role: string }) => ({
  ...presentApiToken(token),
  role,
});
