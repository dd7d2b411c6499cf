import { announce } from '#backend/platform/live/event-bus.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { type User, findUser } from '#backend/identity/users/user.ts';
import { type Author, addAudit, authorOf, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import {
  memberAccessSchema,
  memberSessionParamsSchema,
  memberTokenParamsSchema,
} from '#backend/contract/member-access.ts';
import { userIdParamsSchema } from '#backend/contract/user.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { ApiTokenEntity, nameOfToken, presentApiToken } from './api-token.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { endOtherSessions, endSession, listSessions } from './own-sessions.ts';

type AccessContext = { config: IdentityConfig; database: Database; securityMails: SecurityMails };

/** @throws {ProblemError} 404 for who is no member */
async function memberBy({ database }: AccessContext, id: string): Promise<User> {
  const user = await findUser(database.reads, id);
  if (!user || user.isService) throw notFound('There is no account with this id.');
  return user;
}

/** Revokes a member's API token. @throws {ProblemError} 404 when they have no such token */
async function revokeTokenOf(
  { database, securityMails }: AccessContext,
  author: Author,
  user: User,
  id: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const tokens = tx.getRepository(ApiTokenEntity);
    const found = await tokens.findOneBy({ id, userId: user.id });
    if (!found || (await tokens.delete({ id })).affected !== 1) throw notFound('This token was revoked already.');
    await addAudit(tx, author, 'api_token_revoked', `${user.email}: ${nameOfToken(found)}`, {
      detail: fingerprintOf(found.tokenHash),
    });
    await securityMails.add(tx, user, 'api_token_revoked', author, { detail: nameOfToken(found) });
    announce(tx, { type: 'profile_changed', userId: user.id });
  });
}

/** Where members are signed in and what acts for them, and how an administrator ends it. */
export function memberAccessRoutes(context: AccessContext): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/users/:id/access',
      tag: 'members',
      summary: 'Lists a member’s sessions and API tokens; nothing in it can be used to sign in.',
      access: ['admin'],
      tokenScope: 'none',
      params: userIdParamsSchema,
      responses: { 200: memberAccessSchema },
      handle: async ({ actor, params }) => {
        const { id } = await memberBy(context, params.id);
        const tokens = await database.reads
          .getRepository(ApiTokenEntity)
          .find({ where: { userId: id }, order: { id: 'DESC' } });
        return ok({
          sessions: await listSessions(context, id, actor.sessionId),
          tokens: tokens.map(presentApiToken),
        });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/users/:id/sessions',
      tag: 'members',
      summary: 'Ends every session of a member, with their live connections; not the one that asks.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        const user = await memberBy(context, params.id);
        await endOtherSessions(context, authorOf(actor, ip), user, actor.sessionId);
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/users/:id/sessions/:sessionId',
      tag: 'members',
      summary: 'Ends a session of a member, with its live connections.',
      access: ['admin'],
      proof: 'always',
      params: memberSessionParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        const user = await memberBy(context, params.id);
        await endSession(context, authorOf(actor, ip), user, params.sessionId);
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/users/:id/tokens/:tokenId',
      tag: 'members',
      summary: 'Revokes an API token of a member; whoever uses it is refused from then on.',
      access: ['admin'],
      proof: 'always',
      params: memberTokenParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await revokeTokenOf(context, authorOf(actor, ip), await memberBy(context, params.id), params.tokenId);
        return noContent();
      },
    }),
  ];
}
