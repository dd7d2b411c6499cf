import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import { type User, UserEntity, emailKey, findUser, findUserByEmail, lockUser } from '#backend/identity/users/user.ts';
import {
  AccountLinkEntity,
  FOR_BREAK_GLASS,
  invalidLink,
  revokeInvitationOf,
  unknownLink,
  useUpLink,
} from '#backend/identity/users/account-link.ts';
import { setUserRole } from '#backend/identity/accounts/user-commands.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import type { Role } from '#backend/contract/session.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { ProblemError, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { methodsOf } from '#backend/identity/factors/second-steps.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { newToken } from '#backend/identity/users/session-tokens.ts';
import { type ProvidedClaims, roleOf } from './claims.ts';
import { findIdentity, insertIdentity, isLinkedTo } from './identity.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import type { Flow } from './sign-in-flow.ts';

type MemberContext = { config: IdentityConfig; database: Database; passwords: Passwords; securityMails: SecurityMails };

interface Arrival {
  provider: OidcProvider;
  claims: ProvidedClaims;
  invitation: Flow['invitation'];
  ip: string;
}

/** A sign-in that is refused, with the sentence for the person; the audit trail has it, too. */
export class RefusedArrival extends Error {}

/**
 * The member who arrives from a provider: the one that is linked to this identity, else the one that the configuration lets
 * be linked or made. Applies the role that the provider's claims give.
 *
 * @throws {RefusedArrival} when nobody is to be let in
 */
export async function memberOf(context: MemberContext, arrival: Arrival): Promise<User> {
  const { database } = context;
  const { provider, claims } = arrival;
  const role = provider.roles && roleOf(provider.roles, claims.all);
  const known = await findKnown(context, claims);
  // Linked before the configuration named it.
  if (known && known.emailKey === context.config.breakGlass) {
    throw new RefusedArrival(
      'No provider signs in to the break-glass administrator. Sign in with the password, which whoever runs the server can set.',
    );
  }
  if (provider.roles && role === undefined) {
    if (known) await endSessions(context, known.id);
    throw new RefusedArrival(`Your account at ${provider.name} has no role here. Ask an administrator.`);
  }
  const member = known ?? (await enter(context, arrival, role ?? 'user'));
  if (!member.isActive) throw new RefusedArrival('Your account is disabled. Ask an administrator.');
  if (role === undefined || role === member.role) return member;
  await applyRole(context, arrival, member, role);
  return (await findUser(database.reads, member.id)) ?? member;
}

async function findKnown({ database: { reads } }: MemberContext, claims: ProvidedClaims): Promise<User | null> {
  const identity = await findIdentity(reads, claims);
  return identity && findUser(reads, identity.userId);
}

/** Lets somebody in for the first time. Of two browsers at once the second finds what the first has made. */
async function enter(context: MemberContext, arrival: Arrival, role: Role): Promise<User> {
  try {
    if (arrival.invitation) return await joinByInvitation(context, arrival, arrival.invitation);
    return (await linkByEmail(context, arrival)) ?? (await makeAccount(context, arrival, role));
  } catch (error) {
    const isDuplicate = context.database.dialect.isDuplicate(error);
    const isUsedUp = error instanceof ProblemError && error.status === 404;
    // Refused, too, is who finds the account that the other browser has made between two reads of this one.
    if (!isDuplicate && !isUsedUp && !(error instanceof RefusedArrival)) throw error;
    const known = await findKnown(context, arrival.claims);
    if (known) return known;
    if (error instanceof RefusedArrival) throw error;
    if (isUsedUp) throw new RefusedArrival('This invitation is no longer valid. Ask for a new one.');
    throw alreadyThere(arrival, arrival.claims.email ?? '');
  }
}

const alreadyThere = ({ provider }: Arrival, email: string) =>
  new RefusedArrival(
    `There is an account with the e-mail ${email} already. Sign in to it as before, then link ${provider.name} in My account.`,
  );

/** The account with the same e-mail, where the configuration lets it be linked without its member's own doing. */
async function linkByEmail(
  { config, database, securityMails }: MemberContext,
  arrival: Arrival,
): Promise<User | undefined> {
  const { provider, claims, ip } = arrival;
  if (claims.email === undefined) return undefined;
  const found = await findUserByEmail(database.reads, claims.email);
  if (!found) return undefined;
  if (!provider.linkByEmail || !claims.isEmailVerified) throw notLinked(arrival);
  const { email } = claims;
  return database.transaction(async (tx) => {
    const user = await lockUser(tx, found.id);
    // Whoever has a second step would be let in without it from now on. The break-glass account stays apart from providers.
    const isOpen = user && !user.isService && user.emailKey !== config.breakGlass;
    if (!isOpen || (await methodsOf(tx, user.id)).length > 0 || (await isLinkedTo(tx, user.id, claims.issuer))) {
      throw alreadyThere(arrival, email);
    }
    if (!user.isActive) return user;
    await insertIdentity(tx, user.id, provider, claims);
    const author = { id: user.id, name: user.email, ip };
    await addAudit(tx, author, 'identity_linked', `${provider.name}, by e-mail`);
    await securityMails.add(tx, user, 'identity_linked', author, { detail: provider.name });
    return user;
  });
}

/** Where the e-mail is not verified, nothing says whether there is an account with it. */
const notLinked = (arrival: Arrival) =>
  arrival.claims.isEmailVerified ? alreadyThere(arrival, arrival.claims.email ?? '') : notVerified(arrival);

const notVerified = ({ provider }: Arrival) =>
  new RefusedArrival(
    `No account here is linked to your account at ${provider.name}, and ${provider.name} did not say that your e-mail is verified. Ask an administrator.`,
  );

/** An account for who has none, where the configuration makes them. */
async function makeAccount(
  { database, passwords, config }: MemberContext,
  arrival: Arrival,
  role: Role,
): Promise<User> {
  const { provider, claims, ip } = arrival;
  if (!claims.isEmailVerified || claims.email === undefined) throw notVerified(arrival);
  if (!provider.createAccounts || emailKey(claims.email) === config.breakGlass) {
    throw new RefusedArrival(`There is no account here for ${claims.email}. Ask an administrator for one.`);
  }
  const { email } = claims;
  const user = newMember(email, claims.name ?? email.split('@', 1)[0] ?? email, role);
  user.passwordHash = await passwords.hash(newToken());
  await database.transaction(async (tx) => {
    await tx.getRepository(UserEntity).insert(user);
    await insertIdentity(tx, user.id, provider, claims);
    const author = { id: user.id, name: email, ip };
    await addAudit(tx, author, 'user_created', `${email}: ${role}, by ${provider.name}`);
    await addAudit(tx, author, 'identity_linked', provider.name);
    await revokeInvitationOf(tx, author, user);
    announce(tx, { type: 'members_changed' });
  });
  return user;
}

/** The account of an invitation. Whoever has its link joins, as with a password; the e-mail is the invitation's. */
async function joinByInvitation(
  { config, database, passwords }: MemberContext,
  { provider, claims, ip }: Arrival,
  { id, tokenHash }: NonNullable<Flow['invitation']>,
): Promise<User> {
  const link = await database.reads.getRepository(AccountLinkEntity).findOneBy({ id, tokenHash });
  // Another browser of theirs may have used it since.
  if (!link) throw unknownLink(tokenHash);
  if (link.kind !== 'invitation') throw invalidLink(link, 'is no invitation');
  if (emailKey(link.email) === config.breakGlass) throw invalidLink(link, FOR_BREAK_GLASS);
  const role = (provider.roles && roleOf(provider.roles, claims.all)) ?? link.role;
  const user = newMember(link.email, link.displayName, role);
  user.passwordHash = await passwords.hash(newToken());
  await database.transaction(async (tx) => {
    await useUpLink(tx, link);
    await tx.getRepository(UserEntity).insert(user);
    await insertIdentity(tx, user.id, provider, claims);
    const author = { id: user.id, name: user.email, ip };
    await addAudit(tx, author, 'invitation_accepted', link.byName);
    await addAudit(tx, author, 'identity_linked', provider.name);
    announce(tx, { type: 'members_changed' });
  });
  return user;
}

/** A member whose password nobody knows, until its hash is set. */
const newMember = (email: string, displayName: string, role: Role): User => ({
  id: newId(),
  email,
  emailKey: emailKey(email),
  displayName,
  role,
  isActive: true,
  isService: false,
  passwordHash: '',
  passwordChangedAt: null,
  createdAt: Date.now(),
  timeFormat: null,
  timeZone: null,
  listOrders: null,
  openGroups: null,
});

/** Gives a member the role of their claims, as an administrator does: their sessions end. The last administrator stays one. */
async function applyRole(context: MemberContext, arrival: Arrival, member: User, role: Role): Promise<void> {
  const author = { id: null, name: arrival.provider.name, ip: arrival.ip, sessionId: null };
  try {
    await setUserRole(context, author, member.id, role);
  } catch (error) {
    if (!(error instanceof ProblemError) || error.status !== 409) throw error;
    await context.database.transaction((tx) =>
      addAudit(tx, author, 'role_kept', `${member.email}: ${member.role}, not ${role}: the last administrator`),
    );
  }
}

async function endSessions({ database }: MemberContext, userId: string): Promise<void> {
  await database.transaction((tx) => removeSessionsOf(tx, userId));
}

/** Records who was refused, and answers. */
export async function refuse(
  { database, metrics }: { database: Database; metrics: Metrics },
  { provider, claims, ip }: Arrival,
  { message }: RefusedArrival,
): Promise<never> {
  metrics.signIn('refused');
  const name = claims.email ?? `somebody at ${provider.name}`;
  await database.transaction((tx) =>
    addAudit(tx, { id: null, name, ip }, 'provider_sign_in_refused', `${provider.name}: ${message}`),
  );
  throw notSignedIn(message);
}
