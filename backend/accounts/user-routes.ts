import { authorOf } from '#backend/audit/audit-log.ts';
import { newUserSchema, resetPasswordSchema, userIdParamsSchema } from '#backend/contract/user.ts';
import { type Endpoint, created, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { presentUser } from './present-user.ts';
import { type UserCommandNeeds, createUser, resetPassword, toggleUserActive } from './user-commands.ts';
import { UserEntity } from './user-entity.ts';

/** Managing members: for administrators (spec.md sections 6 and 7). */
export function userRoutes(needs: UserCommandNeeds): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/users',
      who: ['admin'],
      handle: async () => {
        const users = await needs.database.reads.getRepository(UserEntity).find({ order: { id: 'DESC' } });
        return ok(users.map(presentUser));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users',
      who: ['admin'],
      body: newUserSchema,
      handle: async ({ actor, ip, body }) => created(presentUser(await createUser(needs, authorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/users/:id/toggle-active',
      who: ['admin'],
      params: userIdParamsSchema,
      handle: async ({ actor, ip, params }) =>
        ok(presentUser(await toggleUserActive(needs, authorOf(actor, ip), params.id))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-password',
      who: ['admin'],
      params: userIdParamsSchema,
      body: resetPasswordSchema,
      handle: async ({ actor, ip, params, body }) =>
        ok(presentUser(await resetPassword(needs, authorOf(actor, ip), params.id, body.newPassword))),
    }),
  ];
}
