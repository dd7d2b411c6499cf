import { hash } from 'node:crypto';
import { MoreThanOrEqual } from 'typeorm';
import * as z from 'zod/mini';
import { lockUser } from '#backend/accounts/user.ts';
import { type Author, addAudit, authorOf } from '#backend/audit/audit-log.ts';
import type { AppContext } from '#backend/context.ts';
import {
  MAX_LISTED_SESSIONS,
  type OwnSession,
  ownSessionParamsSchema,
  ownSessionSchema,
} from '#backend/contract/account.ts';
import { type Actor, type Endpoint, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notFound } from '#backend/endpoint/errors.ts';
import { deviceOf } from './device-of.ts';
import { onBehalfOf } from './on-behalf-of.ts';
import { endCookies } from './session-cookies.ts';
import { SESSION_LIFETIME_MS, SessionEntity, type StoredSession, removeSessionsOf } from './session-store.ts';

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

type OwnSessionsContext = Pick<AppContext, 'database' | 'events'>;

/** The member's sessions that have not run out, the current one first, then those used last. */
async function listOwnSessions({ database }: OwnSessionsContext, { id, sessionId }: Actor): Promise<OwnSession[]> {
  const rows = await database.reads.getRepository(SessionEntity).find({
    where: { userId: id, lastSeenAt: MoreThanOrEqual(Date.now() - SESSION_LIFETIME_MS) },
    order: { lastSeenAt: 'DESC', id: 'ASC' },
  });
  const isCurrent = (row: StoredSession) => row.id === sessionId;
  const [current, others] = [rows.filter(isCurrent), rows.filter((row) => !isCurrent(row))];
  return [...current, ...others].slice(0, MAX_LISTED_SESSIONS).map((row) => presentOwnSession(row, sessionId));
}

/**
 * Ends one of the member's sessions, with its sockets. Returns its stored id.
 *
 * @throws {ProblemError} 404 when the member has no such session
 */
async function endOwnSession(
  { database, events }: OwnSessionsContext,
  author: Author,
  userId: string,
  shownId: string,
): Promise<string> {
  const endedId = await onBehalfOf(database, author).transaction(async (tx) => {
    const sessions = tx.getRepository(SessionEntity);
    const found = (await sessions.findBy({ userId })).find(({ id }) => shownIdOf(id) === shownId);
    // Of two who end it at once one ends it.
    const { affected } = found ? await sessions.delete({ id: found.id }) : { affected: 0 };
    if (!found || affected !== 1) throw notFound('This session has ended already.');
    await addAudit(tx, author, 'session_ended', nameOf(found));
    return found.id;
  });
  events.publish({ type: 'session_ended', sessionId: endedId });
  return endedId;
}

/** Ends every session of the member but the one that asks. */
async function endOtherSessions({ database, events }: OwnSessionsContext, author: Author, actor: Actor): Promise<void> {
  const ended = await onBehalfOf(database, author).transaction(async (tx) => {
    // None begins meanwhile, which would end without a word to its sockets.
    await lockUser(tx, actor.id);
    const ids = await removeSessionsOf(tx, actor.id, actor.sessionId);
    if (ids.length > 0) await addAudit(tx, author, 'other_sessions_ended', `${ids.length}`);
    return ids;
  });
  for (const sessionId of ended) events.publish({ type: 'session_ended', sessionId });
}

/** Where a member is signed in, and how they end that. */
export function ownSessionRoutes(context: OwnSessionsContext): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/sessions',
      tag: 'account',
      summary: `Lists the member’s sessions: the one that asks, then those used last, ${MAX_LISTED_SESSIONS} at most.`,
      access: 'member',
      responses: { 200: z.array(ownSessionSchema) },
      handle: async ({ actor }) => ok(await listOwnSessions(context, actor)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/sessions',
      tag: 'account',
      summary: 'Ends every session of the member but the one that asks.',
      access: 'member',
      responses: { 204: 'no content' },
      handle: async ({ actor, ip }) => {
        await endOtherSessions(context, authorOf(actor, ip), actor);
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
        const endedId = await endOwnSession(context, authorOf(actor, ip), actor.id, params.id);
        return noContent(endedId === actor.sessionId ? { cookies: endCookies(isSecure) } : {});
      },
    }),
  ];
}
