import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { type User, lockUser } from '#backend/identity/users/user.ts';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { MAX_SESSIONS, type OwnSession, ownSessionParamsSchema, ownSessionSchema } from '#backend/contract/account.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { deviceOf } from '#backend/identity/users/device-of.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { endCookies } from './session-cookies.ts';
import { hasRunOut } from './session-rules.ts';
import { SessionEntity, type StoredSession, endedBy, removeSessionsOf } from './session-store.ts';

/** What a session is called outside: of what is stored nothing leaves the server that CSRF tokens are made of. */
const shownIdOf = (sessionId: string): string => hash('sha256', `shown:${sessionId}`, 'base64url');

/** A session as its member sees it. @param currentId the session that asks */
const presentOwnSession = (session: StoredSession, currentId: string): OwnSession => ({
  id: shownIdOf(session.id),
  device: deviceOf(session.userAgent ?? ''),
  ip: session.ip,
  createdAt: new Date(session.createdAt).toISOString(),
  lastSeenAt: new Date(session.lastSeenAt).toISOString(),
  lastIp: session.lastIp,
  isCurrent: session.id === currentId,
});

const nameOf = ({ ip, userAgent }: StoredSession): string => [deviceOf(userAgent ?? ''), ip ?? []].flat().join(', ');

type SessionsContext = { config: IdentityConfig; database: Database };

/**
 * A member's sessions that have not run out, the current one first, then those used last.
 *
 * @param sessionId the session that asks
 */
export async function listSessions(
  { config, database }: SessionsContext,
  userId: string,
  sessionId: string,
): Promise<OwnSession[]> {
  const rows = await database.reads.getRepository(SessionEntity).find({
    where: { userId },
    order: { lastSeenAt: 'DESC', id: 'ASC' },
  });
  const isCurrent = (row: StoredSession) => row.id === sessionId;
  const live = rows.filter((row) => !hasRunOut(row, config, Date.now()));
  const [current, others] = [live.filter(isCurrent), live.filter((row) => !isCurrent(row))];
  return [...current, ...others].slice(0, MAX_SESSIONS).map((row) => presentOwnSession(row, sessionId));
}

/**
 * Ends one of a member's sessions, with its sockets, on behalf of themselves or an administrator. Returns its stored id.
 *
 * @throws {ProblemError} 404 when the member has no such session
 */
export async function endSession(
  { database }: Pick<SessionsContext, 'database'>,
  author: Author,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  shownId: string,
): Promise<string> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const sessions = tx.getRepository(SessionEntity);
    const found = (await sessions.findBy({ userId })).find(({ id }) => shownIdOf(id) === shownId);
    // Of two who end it at once one ends it.
    const { affected } = found ? await sessions.delete({ id: found.id }) : { affected: 0 };
    if (!found || affected !== 1) throw notFound('This session has ended already.');
    await addAudit(tx, author, 'session_ended', whose(author, userId, email) + nameOf(found));
    announce(tx, { type: 'session_ended', sessionId: found.id, ...endedBy(author, userId) });
    return found.id;
  });
}

/** In the audit trail, whom an administrator did it to; nothing for what is one's own. */
const whose = (author: Author, userId: string, email: string): string => (author.id === userId ? '' : `${email}: `);

/**
 * Ends every session of a member but the one that asks. Their API tokens stay.
 *
 * @param keptId the session that asks, an administrator's perhaps
 */
export async function endOtherSessions(
  { database }: Pick<SessionsContext, 'database'>,
  author: Author,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  keptId: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    // None begins meanwhile, which would end without a word to its sockets.
    await lockUser(tx, userId);
    const ids = await removeSessionsOf(tx, userId, { keptId, by: author });
    if (ids.length > 0)
      await addAudit(tx, author, 'other_sessions_ended', `${whose(author, userId, email)}${ids.length}`);
  });
}

/** Where a member is signed in, and how they end that. */
export function ownSessionRoutes(context: SessionsContext): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/sessions',
      tag: 'account',
      summary: `Lists the member’s sessions: the one that asks, then those used last, ${MAX_SESSIONS} at most.`,
      access: 'member',
      responses: { 200: z.array(ownSessionSchema) },
      handle: async ({ actor }) => ok(await listSessions(context, actor.id, actor.sessionId)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/sessions',
      tag: 'account',
      summary: 'Ends every session of the member but the one that asks.',
      access: 'member',
      responses: { 204: 'no content' },
      handle: async ({ actor, ip }) => {
        await endOtherSessions(context, authorOf(actor, ip), actor, actor.sessionId);
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/sessions/:id',
      tag: 'account',
      summary: 'Ends a session of the member’s.',
      access: 'member',
      params: ownSessionParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, isSecure, params }) => {
        const endedId = await endSession(context, authorOf(actor, ip), actor, params.id);
        return noContent(endedId === actor.sessionId ? { cookies: endCookies(isSecure) } : {});
      },
    }),
  ];
}
