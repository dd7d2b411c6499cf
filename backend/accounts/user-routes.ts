import * as z from 'zod/mini';
import { authorOf } from '#backend/audit/audit-log.ts';
import type { AppContext } from '#backend/context.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { newUserSchema, resetPasswordSchema, userIdParamsSchema, userSchema } from '#backend/contract/user.ts';
import { readIdPage } from '#backend/database/id-pages.ts';
import { type Endpoint, created, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { presentUser, UserEntity } from './user.ts';
import { createUser, resetPassword, toggleUserActive } from './user-commands.ts';

/** Manage members: for administrators. */
export function userRoutes(context: Pick<AppContext, 'database' | 'passwords' | 'events'>): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/users',
      tag: 'members',
      summary: 'Lists every member, newest first.',
      access: ['admin'],
      isList: true,
      query: idPageQuerySchema,
      responses: { 200: z.array(userSchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const page = await readIdPage(context.database.reads, UserEntity, {}, query, '/api/auth/users');
        return ok(page.rows.map(presentUser), { headers: page.headers });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users',
      tag: 'members',
      summary: 'Creates a member.',
      access: ['admin'],
      body: newUserSchema,
      responses: { 201: userSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => created(presentUser(await createUser(context, authorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/users/:id/toggle-active',
      tag: 'members',
      summary:
        'Disables an active member, ends their sessions and returns their open alerts to the inbox, or enables a disabled one.',
      access: ['admin'],
      params: userIdParamsSchema,
      responses: { 200: userSchema },
      errors: [409],
      handle: async ({ actor, ip, params }) =>
        ok(presentUser(await toggleUserActive(context, authorOf(actor, ip), params.id))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-password',
      tag: 'members',
      summary: 'Gives a member another password and ends their sessions.',
      access: ['admin'],
      params: userIdParamsSchema,
      body: resetPasswordSchema,
      responses: { 200: userSchema },
      handle: async ({ actor, ip, params, body }) =>
        ok(presentUser(await resetPassword(context, authorOf(actor, ip), params.id, body.newPassword))),
    }),
  ];
}
