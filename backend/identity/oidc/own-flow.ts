import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { type User, lockUser } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { type Reply, ok } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { prove } from '#backend/identity/second-step/proof-routes.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { renewedCookies, sessionCookieName } from '#backend/identity/sessions/session-cookies.ts';
import { sessionIdOf } from '#backend/identity/users/session-tokens.ts';
import type { SignInRequest } from '#backend/identity/sessions/start-session.ts';
import { type ProvidedClaims, subjectHashOf } from './claims.ts';
import { findIdentity, insertIdentity, isLinkedTo, useIdentity } from './identity.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import type { Flow, FlowOwner } from './sign-in-flow.ts';

/** A provider that was linked before the configuration named the account, which others may control, proves nothing of it. */
const NO_PROOF = 'No provider proves that this is the break-glass administrator.';

/** A return from a provider that a signed-in member asked for. */
interface OwnReturn {
  flow: Flow;
  owner: FlowOwner | null;
  provider: OidcProvider;
  claims: ProvidedClaims;
}

/**
 * Ends what a signed-in member began: links their account to who they are at the provider, or notes that they have proved
 * who they are. Only the session that began it does.
 *
 * @throws {ProblemError} 401 when it has ended, or the proof is somebody else's; 409 when the link cannot be made
 */
export async function endOwnFlow(
  {
    config,
    database,
    securityMails,
    sessionSecret,
  }: {
    config: IdentityConfig;
    database: Database;
    securityMails: SecurityMails;
    sessionSecret: string;
  },
  { cookie, isSecure, ip }: Pick<SignInRequest, 'cookie' | 'isSecure' | 'ip'>,
  { flow: { purpose }, owner, provider, claims }: OwnReturn,
): Promise<Reply<200>> {
  const token = cookie(sessionCookieName(isSecure));
  if (!owner || !token || sessionIdOf(token) !== owner.sessionId) throw notSignedIn();
  const { userId, sessionId } = owner;
  const own = onBehalfOf(database, { sessionId });
  try {
    const proved = await own.transaction(async (tx) => {
      const user = await lockUser(tx, userId);
      if (!user?.isActive) throw notSignedIn();
      const author = { id: user.id, name: user.email, ip, sessionId };
      if (purpose === 'proof') {
        if (user.emailKey === config.breakGlass) throw notSignedIn(NO_PROOF);
        const subjectHash = subjectHashOf(claims);
        const isTheirs = await useIdentity(tx, { userId, subjectHash, provider: provider.id });
        if (!isTheirs) throw notSignedIn(`This is not the account at ${provider.name} that yours is linked to.`);
        return prove(tx, author, provider.name);
      }
      requireLinkable(user, config.breakGlass);
      const taken = await findIdentity(tx, claims);
      if (taken) throw taken.userId === user.id ? alreadyLinked(provider) : takenByOther(provider);
      if (await isLinkedTo(tx, user.id, claims.issuer)) throw alreadyLinked(provider);
      await insertIdentity(tx, user.id, provider, claims);
      await addAudit(tx, author, 'identity_linked', provider.name);
      await securityMails.add(tx, user, 'identity_linked', author, { detail: provider.name });
      return undefined;
    });
    if (!proved) return ok({ done: 'linked' });
    return ok({ done: 'proved' }, { cookies: renewedCookies(sessionSecret, isSecure, proved) });
  } catch (error) {
    // Two accounts at once: the unique index lets one of them.
    if (database.dialect.isDuplicate(error)) throw takenByOther(provider);
    throw error;
  }
}

/**
 * The break-glass administrator signs in when providers are away or have been taken over, and so is linked to none.
 *
 * @throws {ProblemError} 409
 */
export function requireLinkable({ emailKey }: Pick<User, 'emailKey'>, breakGlass: string | undefined): void {
  if (emailKey === breakGlass) {
    throw conflict('This is the break-glass account: it signs in by its password, and is linked to no provider.');
  }
}

const alreadyLinked = ({ name }: OidcProvider) => conflict(`Your account is linked to an account at ${name} already.`);
const takenByOther = ({ name }: OidcProvider) =>
  conflict(`This account at ${name} is linked to another account here. Unlink it there first.`);
