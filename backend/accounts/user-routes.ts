import * as z from 'zod/mini';
import { authorOf } from '#backend/audit/audit-log.ts';
import { idPageQuerySchema } from '#backend/contract/id-page.ts';
import { newUserSchema, resetPasswordSchema, userIdParamsSchema, userSchema } from '#backend/contract/user.ts';
import { readIdPage } from '#backend/database/id-pages.ts';
import { type Endpoint, created, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { presentUser } from './present-user.ts';
import { type UserCommandNeeds, createUser, resetPassword, toggleUserActive } from './user-commands.ts';
import { UserEntity } from './user-entity.ts';

/** Manage members: for administrators. */
export function userRoutes(needs: UserCommandNeeds): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/users',
      tag: 'members',
      summary: 'Lists every member, newest first.',
      who: ['admin'],
      isList: true,
      query: idPageQuerySchema,
      responses: { 200: z.array(userSchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const page = await readIdPage(needs.database.reads, UserEntity, {}, query, '/api/auth/users');
        return ok(page.rows.map(presentUser), { headers: page.headers });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users',
      tag: 'members',
      summary: 'Creates a member.',
      who: ['admin'],
      body: newUserSchema,
      responses: { 201: userSchema },
      refusals: [409],
      handle: async ({ actor, ip, body }) => created(presentUser(await createUser(needs, authorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/users/:id/toggle-active',
      tag: 'members',
      summary: 'Disables an active member and ends their sessions, or enables a disabled one.',
      who: ['admin'],
      params: userIdParamsSchema,
      responses: { 200: userSchema },
      refusals: [409],
      handle: async ({ actor, ip, params }) =>
        ok(presentUser(await toggleUserActive(needs, authorOf(actor, ip), params.id))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-password',
      tag: 'members',
      summary: 'Gives a member another password and ends their sessions.',
      who: ['admin'],
      params: userIdParamsSchema,
      body: resetPasswordSchema,
      responses: { 200: userSchema },
      handle: async ({ actor, ip, params, body }) =>
        ok(presentUser(await resetPassword(needs, authorOf(actor, ip), params.id, body.newPassword))),
    }),
  ];
}
