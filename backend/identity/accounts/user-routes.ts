import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import * as z from 'zod/mini';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { userChangeSchema } from '#backend/contract/member-access.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import {
  newUserSchema,
  resetPasswordSchema,
  userActivitySchema,
  userIdParamsSchema,
  userSchema,
} from '#backend/contract/user.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Endpoint, created, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { withSecondStep } from '#backend/identity/factors/second-steps.ts';
import { changeUser } from './change-user.ts';
import { type User, presentUser, UserEntity } from '#backend/identity/users/user.ts';
import { refuseBreakGlass, refuseBreakGlassId } from '#backend/identity/users/break-glass.ts';
import { createUser, resetPassword, resetSecondStep, setUserActive } from './user-commands.ts';

/** Manage members: for administrators. */
export function userRoutes(context: {
  config: IdentityConfig;
  database: Database;
  passwords: Passwords;
  securityMails: SecurityMails;
}): Endpoint[] {
  const { reads } = context.database;
  const { breakGlass } = context.config;
  const presentAll = async (users: readonly User[]) => {
    const secured = await withSecondStep(
      reads,
      users.map(({ id }) => id),
    );
    return users.map((user) =>
      presentUser(user, { hasSecondStep: secured.has(user.id), isBreakGlass: user.emailKey === breakGlass }),
    );
  };
  const present = async (user: User) => (await presentAll([user]))[0];
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
        return ok(await presentAll(page.rows), { headers: page.headers });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users',
      tag: 'members',
      summary: 'Creates a member.',
      access: ['admin'],
      proof: 'always',
      body: newUserSchema,
      responses: { 201: userSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => {
        refuseBreakGlass(context.config, body.email);
        return created(await present(await createUser(context, authorOf(actor, ip), body)));
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/users/:id',
      tag: 'members',
      summary: 'Changes a member’s e-mail, display name or role. Another role ends their sessions and API tokens.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      body: userChangeSchema,
      responses: { 200: userSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) =>
        ok(await present(await changeUser(context, authorOf(actor, ip), params.id, body))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/users/:id/toggle-active',
      tag: 'members',
      summary:
        'Disables a member, ends their sessions and returns their open alerts to the inbox, or enables them. Without a body it is the other state than theirs, which two callers at once, or one who asks again, may turn back.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      body: userActivitySchema,
      responses: { 200: userSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) => {
        await refuseBreakGlassId(context, params.id);
        return ok(await present(await setUserActive(context, authorOf(actor, ip), params.id, body?.active)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-password',
      tag: 'members',
      summary: 'Gives a member another password, ends their sessions and deletes their API tokens.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      body: resetPasswordSchema,
      responses: { 200: userSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) => {
        await refuseBreakGlassId(context, params.id);
        return ok(await present(await resetPassword(context, authorOf(actor, ip), params.id, body.newPassword)));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-second-step',
      tag: 'members',
      summary:
        'Removes a member’s second steps: authenticator app, passkeys, recovery codes and remembered browsers. Ends their sessions.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      responses: { 200: userSchema },
      errors: [409],
      handle: async ({ actor, ip, params }) => {
        await refuseBreakGlassId(context, params.id);
        return ok(await present(await resetSecondStep(context, authorOf(actor, ip), params.id)));
      },
    }),
  ];
}
