import { linkMail } from '#backend/platform/mail/mail-texts.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { MoreThan } from 'typeorm';
import { type Author, addAudit, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import { type Invitation, MAX_INVITATIONS } from '#backend/contract/account-link.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import type { MailQueue } from '#backend/platform/mail/mail-queue.ts';
import { forgetBrowsers } from '#backend/identity/factors/remembered-browsers.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import {
  ASKED,
  AccountLinkEntity,
  FOR_BREAK_GLASS,
  type StoredAccountLink,
  alreadyInvited,
  findLink,
  insertLink,
  invalidLink,
  newLinkTimes,
  removeLink,
  removeResetLinksOf,
  useUpLink,
} from '#backend/identity/users/account-link.ts';
import { refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import { refuseWeak } from '#backend/identity/users/password-rules.ts';
import { type User, UserEntity, emailKey, lockActiveAdmins, lockUser } from '#backend/identity/users/user.ts';

/** What making and using links takes. */
export interface LinkDeps {
  database: Database;
  passwords: Passwords;
  securityMails: SecurityMails;

  config: Pick<IdentityConfig, 'breakGlass' | 'passwordOnlyFor'>;
  mails: MailQueue;
}

/** A link and its token, which is known here alone. */
export interface MadeLink {
  link: StoredAccountLink;
  token: string;
}

const emailTaken = (email: string) => conflict(`There is an account with the e-mail ${email} already.`);

const cannotMail = () => conflict('No mail server is configured. Copy the link instead.');

/** Changes links on behalf of who asks; null for who is not signed in. Lists of administrators follow. */
async function changeLinks<T>(
  { database }: Pick<LinkDeps, 'database'>,
  author: Author | null,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, { sessionId: author?.sessionId ?? null }).transaction(async (tx) => {
    const result = await work(tx);
    announce(tx, { type: 'members_changed' });
    return result;
  });
}

/** @throws {ProblemError} 409 when there are as many open invitations as there may be; they are added one after the other. */
async function requireRoom(tx: Transaction): Promise<void> {
  await lockActiveAdmins(tx);
  const open = { kind: 'invitation' as const, expiresAt: MoreThan(Date.now()) };
  if ((await tx.getRepository(AccountLinkEntity).countBy(open)) < MAX_INVITATIONS) return;
  throw conflict(`There are ${MAX_INVITATIONS} open invitations already. Revoke one first.`);
}

/** Queues the mail with a link, in the transaction that makes the link. */
async function mailLink({ config, mails }: LinkDeps, tx: Transaction, { link, token }: MadeLink): Promise<void> {
  const mailed = { ...link, hasPasswords: config.passwordOnlyFor === undefined };
  await mails.add(
    tx,
    { to: link.email, ...linkMail(mails.publicUrl, mailed, token) },
    { linkId: link.id, expiresAt: link.expiresAt },
  );
}

/**
 * Invites somebody to make an account.
 *
 * @throws {ProblemError} 409 when they have an account or an invitation already, when there are as many invitations as there
 * may be, or no mail can be sent
 */
export async function invite(deps: LinkDeps, author: Author, input: Invitation): Promise<MadeLink> {
  const { database, mails } = deps;
  const { email, displayName, role, isMailed } = input;
  refuseBreakGlass(deps.config, email);
  if (isMailed && !mails.isConfigured) throw cannotMail();
  try {
    return await changeLinks(deps, author, async (tx) => {
      await requireRoom(tx);
      const key = emailKey(email);
      const about = { kind: 'invitation' as const, subjectKey: key, userId: null, email, displayName, role };
      const made = await insertLink(tx, { ...about, ...makerOf(author) }, isMailed);
      // After the link's row, and with a lock: who makes this account at the same moment removes the link, or is seen here.
      const rows: unknown[] = await tx.query(`SELECT id FROM users WHERE email_key = ?${tx.dialect.forShare}`, [key]);
      if (rows.length > 0) throw emailTaken(email);
      if (isMailed) await mailLink(deps, tx, made);
      await addAudit(tx, author, 'user_invited', `${email}: ${role}`, { detail: fingerprintOf(made.link.tokenHash) });
      return made;
    });
  } catch (error) {
    // There is one for each e-mail.
    if (database.dialect.isDuplicate(error)) throw alreadyInvited(email);
    throw error;
  }
}

/** Links of before their e-mail was named as the break-glass administrator's. */
const isForBreakGlass = ({ config }: LinkDeps, { email }: StoredAccountLink): boolean =>
  config.breakGlass !== undefined && emailKey(email) === config.breakGlass;

/** Whose right a link stands on. */
const makerOf = (author: Author | null) => ({ byName: author?.name ?? null, byId: author?.id ?? null });

/**
 * Another link to reset a member's password. An administrator's ends those before; who asks on the sign-in page (null) ends
 * none but what was asked for there, or a stranger could take away what an administrator has given.
 */
async function replaceResetLink(
  deps: LinkDeps,
  tx: Transaction,
  user: User,
  author: Author | null,
  isMailed: boolean,
): Promise<MadeLink> {
  await removeResetLinksOf(tx, user.id, author ? 'all' : 'asked');
  const { id, email, displayName, role } = user;
  const subjectKey = author ? id : `${ASKED}${id}`;
  const about = { kind: 'reset' as const, subjectKey, userId: id, email, displayName, role, ...makerOf(author) };
  const made = await insertLink(tx, about, isMailed);
  if (isMailed) await mailLink(deps, tx, made);
  return made;
}

/** @throws {ProblemError} 409 where a link to reset this account's password would not work */
function requireResettable({ config }: LinkDeps, user: User): void {
  refuseBreakGlass(config, user.email);
  if (config.passwordOnlyFor !== undefined) throw conflict('Passwords are switched off on this server.');
  if (!user.isActive) throw conflict('This account is disabled. Enable it first.');
}

/**
 * A link with which a member chooses another password themselves. Until then they keep the one that they have.
 *
 * @throws {ProblemError} 404 when there is no such account, 409 when it is disabled, passwords are switched off, or no mail can
 * be sent
 */
export async function makeResetLink(
  deps: LinkDeps,
  author: Author,
  userId: string,
  isMailed: boolean,
): Promise<MadeLink> {
  if (isMailed && !deps.mails.isConfigured) throw cannotMail();
  return changeLinks(deps, author, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!user || user.isService) throw notFound('There is no account with this id.');
    requireResettable(deps, user);
    const made = await replaceResetLink(deps, tx, user, author, isMailed);
    await addAudit(tx, author, 'reset_link_created', user.email, { detail: fingerprintOf(made.link.tokenHash) });
    return made;
  });
}

/**
 * Mails a reset link to who asks for it on the sign-in page, when there is such a member. Whoever asks learns nothing: the
 * answer does not wait for this.
 */
export async function mailResetLink(deps: LinkDeps, email: string, ip: string): Promise<void> {
  await changeLinks(deps, null, async (tx) => {
    const found = await tx.getRepository(UserEntity).findOneBy({ emailKey: emailKey(email) });
    const user = found && (await lockUser(tx, found.id));
    if (!user?.isActive || user.isService || user.emailKey === deps.config.breakGlass) return;
    const { link } = await replaceResetLink(deps, tx, user, null, true);
    const detail = fingerprintOf(link.tokenHash);
    await addAudit(tx, { id: null, name: user.email, ip }, 'reset_requested', null, { detail });
  });
}

/**
 * Gives a link another token and its whole time again; the one before stops working. Whoever renews it is its maker.
 *
 * @throws {ProblemError} 404 when it was used or revoked, 409 when no mail can be sent, or as {@link makeResetLink}
 */
export async function renewLink(deps: LinkDeps, author: Author, id: string, isMailed: boolean): Promise<MadeLink> {
  if (isMailed && !deps.mails.isConfigured) throw cannotMail();
  return changeLinks(deps, author, async (tx) => {
    // Accounts before links, as whoever uses one or takes the right to make them away.
    await lockActiveAdmins(tx);
    const named = await tx.getRepository(AccountLinkEntity).findOneBy({ id });
    const user = named?.userId ? await lockUser(tx, named.userId) : undefined;
    const [known] = await tx.lockRows(AccountLinkEntity, { id });
    if (!known) throw notFound('This link was already used or revoked.');
    refuseBreakGlass(deps.config, known.email);
    if (user) requireResettable(deps, user);
    const { token, stored: times } = newLinkTimes(isMailed);
    if (known.kind === 'invitation' && known.expiresAt <= times.createdAt) await requireRoom(tx);
    const stored = { ...times, ...makerOf(author), subjectKey: known.userId ?? known.subjectKey };
    if (known.userId !== null) await removeResetLinksOf(tx, known.userId, 'all', id);
    await tx.getRepository(AccountLinkEntity).update({ id }, stored);
    await tx.query('DELETE FROM mails WHERE link_id = ?', [id]);
    const made = { link: { ...known, ...stored }, token };
    if (isMailed) await mailLink(deps, tx, made);
    const detail = fingerprintOf(stored.tokenHash);
    await addAudit(tx, author, 'link_renewed', `${known.email}: ${known.kind}`, { detail });
    return made;
  });
}

/** Has a link stop working. @throws {ProblemError} 404 when it was used or revoked already */
export async function revokeLink(deps: LinkDeps, author: Author, id: string): Promise<void> {
  await changeLinks(deps, author, async (tx) => {
    const [known] = await tx.lockRows(AccountLinkEntity, { id });
    if (!known || !(await removeLink(tx, id))) throw notFound('This link was already used or revoked.');
    const detail = fingerprintOf(known.tokenHash);
    await addAudit(tx, author, 'link_revoked', `${known.email}: ${known.kind}`, { detail });
  });
}

/**
 * Makes the account of an invitation.
 *
 * @throws {ProblemError} 404 when the link is not valid, 409 when there is an account with its e-mail by now, 422 for a
 * password that strangers would guess; then the link goes on working
 */
export async function join(deps: LinkDeps, ip: string, token: string, password: string): Promise<User> {
  const { database, passwords } = deps;
  // Nobody has passwords hashed without a link.
  const link = await findLink(database.reads, token);
  if (link.kind !== 'invitation') throw invalidLink(link, 'is no invitation');
  if (isForBreakGlass(deps, link)) throw invalidLink(link, FOR_BREAK_GLASS);
  refuseWeak(password, link);
  const { email, displayName, role } = link;
  const user: User = {
    id: newId(),
    email,
    emailKey: emailKey(email),
    displayName,
    role,
    isActive: true,
    isService: false,
    passwordHash: await passwords.hash(password),
    passwordChangedAt: null,
    createdAt: Date.now(),
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
  };
  try {
    await changeLinks(deps, null, async (tx) => {
      // First, so that who was overtaken by another account of this e-mail is sent to sign in.
      await tx.getRepository(UserEntity).insert(user);
      await useUpLink(tx, link);
      await addAudit(tx, { id: user.id, name: email, ip }, 'invitation_accepted', link.byName);
    });
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
    throw conflict(`There is an account with the e-mail ${email} already. Sign in instead.`);
  }
  return user;
}

/**
 * Sets the password of who has a reset link. Ends their sessions and sockets at once, and starts none: whoever has the link
 * alone is not signed in by it.
 *
 * @throws {ProblemError} 404 when the link is not valid, or the account is disabled, 422 for a password that strangers
 * would guess; then the link goes on working
 */
export async function resetByLink(deps: LinkDeps, ip: string, token: string, password: string): Promise<User> {
  const { database, passwords } = deps;
  const link = await findLink(database.reads, token);
  const { userId } = link;
  if (userId === null) throw invalidLink(link, 'resets no password');
  if (isForBreakGlass(deps, link)) throw invalidLink(link, FOR_BREAK_GLASS);
  const passwordHash = await passwords.hash(password);
  return changeLinks(deps, null, async (tx) => {
    const found = await useUpLink(tx, link);
    if (!found?.isActive) throw invalidLink(link, 'account disabled');
    refuseWeak(password, found);
    await removeResetLinksOf(tx, userId);
    const change = { passwordHash, passwordChangedAt: Date.now() };
    await tx.getRepository(UserEntity).update({ id: userId }, change);
    await forgetBrowsers(tx, userId);
    await addAudit(tx, { id: userId, name: found.email, ip }, 'password_reset_by_link', link.byName);
    await deps.securityMails.add(tx, found, 'password_reset_by_link', { id: userId, name: found.email, ip });
    await removeSessionsOf(tx, userId);
    return { ...found, ...change };
  });
}
