import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { hash } from 'node:crypto';
import { type FindOptionsWhere, In, LessThan } from 'typeorm';
import { findUser, lockUser } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { CeremonyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { SessionEntity, type StoredSession } from '#backend/identity/sessions/session-store.ts';
import { subjectHashOf } from './claims.ts';
import { IdentityEntity } from './identity.ts';
import { LONGEST_TOKEN_AGE_SECONDS, type LogoutClaims } from './logout-token.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import { CLOCK_TOLERANCE_SECONDS } from './provider-fetch.ts';
import { openIdToken } from './provider-session.ts';

/** The name of a token is remembered until it is too old to be accepted, by any server's clock, in milliseconds. */
const REMEMBERED_MS = 2 * (LONGEST_TOKEN_AGE_SECONDS + CLOCK_TOLERANCE_SECONDS) * 1000;

type Deps = { database: Database; sealing: Sealing };

/**
 * Ends the sessions that a provider says are over: those that it began, of the person or of the session that the token
 * names, on every server, and what that person has begun and not ended. A token is accepted once; the second time nothing
 * is done.
 */
export async function endSessionsAt(
  deps: Deps,
  provider: OidcProvider,
  claims: LogoutClaims,
  ip: string,
): Promise<void> {
  const { database } = deps;
  await database
    .transaction(async (tx) => {
      const ceremonies = tx.getRepository(CeremonyEntity);
      const now = Date.now();
      await ceremonies.delete({ expiresAt: LessThan(now) });
      const id = hash('sha256', JSON.stringify(['logout', claims.issuer, claims.tokenId]));
      const expiresAt = now + REMEMBERED_MS;
      const rest = { userId: null, boundTo: null, data: null, details: null };
      // Of two servers that have it at once the index lets one go on.
      await ceremonies.insert({ id, kind: 'oidc_logout', expiresAt, ...rest });

      const { subject, issuer } = claims;
      const subjectHash = subject === undefined ? undefined : subjectHashOf({ issuer, subject });
      const identity = subjectHash && (await tx.getRepository(IdentityEntity).findOneBy({ subjectHash }));
      if (subjectHash !== undefined && !identity) return;
      // A sign-in that is about to begin a session has the account's row.
      if (identity) await lockUser(tx, identity.userId);
      const sessions = tx.getRepository(SessionEntity);
      const where: FindOptionsWhere<StoredSession> = { provider: provider.id };
      if (identity) where.userId = identity.userId;
      const select = { id: true, userId: true, idToken: true } as const;
      const found = (await sessions.find({ select, where })).filter((session) => isOver(deps, session, claims));
      if (found.length > 0) await sessions.delete({ id: In(found.map(({ id: sessionId }) => sessionId)) });
      if (identity) await ceremonies.delete({ userId: identity.userId, kind: In(['sign_in', 'oidc_app']) });
      for (const userId of new Set(found.map((session) => session.userId))) {
        const user = await findUser(tx, userId);
        const author = { id: null, name: provider.name, ip };
        await addAudit(tx, author, 'sessions_ended_by_provider', user?.email ?? null);
      }
      for (const { id: sessionId } of found) announce(tx, { type: 'session_ended', sessionId });
    })
    .catch((error: unknown) => {
      if (!database.dialect.isDuplicate(error)) throw error;
    });
}

/** Whether a session is meant. One whose ID token is not kept cannot be distinguished from others of its person, and ends with them. */
function isOver(
  { sealing }: Pick<Deps, 'sealing'>,
  { userId, idToken }: Pick<StoredSession, 'userId' | 'idToken'>,
  { subject, providerSession }: LogoutClaims,
): boolean {
  if (providerSession === undefined) return true;
  const sid = sessionIn(openIdToken(sealing, userId, idToken));
  return sid === undefined ? subject !== undefined : sid === providerSession;
}

/** The provider's session that an ID token names. Its signature was checked before it was stored. */
function sessionIn(idToken: string | undefined): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const sid = (claims as Record<string, unknown> | null)?.['sid'];
    return typeof sid === 'string' ? sid : undefined;
  } catch {
    return undefined;
  }
}
