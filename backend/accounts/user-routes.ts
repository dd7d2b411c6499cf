import * as z from 'zod/mini';
import { authorOf } from '#backend/audit/audit-log.ts';
import type { AppContext } from '#backend/context.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { newUserSchema, resetPasswordSchema, userIdParamsSchema, userSchema } from '#backend/contract/user.ts';
import { readIdPage } from '#backend/database/id-pages.ts';
import { type Endpoint, created, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { conflict } from '#backend/endpoint/errors.ts';
import { withSecondStep } from '#backend/second-step/second-steps.ts';
import { type User, findUser, presentUser, UserEntity } from './user.ts';
import { createUser, resetPassword, resetSecondStep, toggleUserActive } from './user-commands.ts';

/** Manage members: for administrators. */
export function userRoutes(context: Pick<AppContext, 'config' | 'database' | 'passwords' | 'events'>): Endpoint[] {
  const { reads } = context.database;
  const present = async (user: User) => presentUser(user, (await withSecondStep(reads, [user.id])).has(user.id));
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
        const page = await readIdPage(reads, UserEntity, { isService: false }, query, '/api/auth/users');
        const secured = await withSecondStep(
          reads,
          page.rows.map(({ id }) => id),
        );
        return ok(
          page.rows.map((user) => presentUser(user, secured.has(user.id))),
          { headers: page.headers },
        );
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
      handle: async ({ actor, ip, body }) =>
        created(await present(await createUser(context, authorOf(actor, ip), body))),
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
      handle: async ({ actor, ip, params }) => {
        const user = await findUser(reads, params.id);
        if (user?.isActive && user.emailKey === context.config.passwordOnlyFor) {
          throw conflict('This is the break-glass administrator, who signs in while providers are away.');
        }
        return ok(await present(await toggleUserActive(context, authorOf(actor, ip), params.id)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-password',
      tag: 'members',
      summary: 'Gives a member another password, ends their sessions and deletes their API tokens.',
      access: ['admin'],
      // Its own member's password would turn a token into a session.
      tokenScope: 'none',
      params: userIdParamsSchema,
      body: resetPasswordSchema,
      responses: { 200: userSchema },
      handle: async ({ actor, ip, params, body }) =>
        ok(await present(await resetPassword(context, authorOf(actor, ip), params.id, body.newPassword))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-second-step',
      tag: 'members',
      summary:
        'Removes a member’s second steps: authenticator app, passkeys, recovery codes and remembered browsers. Ends their sessions.',
      access: ['admin'],
      needsProof: true,
      params: userIdParamsSchema,
      responses: { 200: userSchema },
      handle: async ({ actor, ip, params }) =>
        ok(await present(await resetSecondStep(context, authorOf(actor, ip), params.id))),
    }),
  ];
}
