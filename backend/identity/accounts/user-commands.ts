import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import type { NewUser } from '#backend/contract/user.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { forgetBrowsers } from '#backend/identity/factors/remembered-browsers.ts';
import { removeSecondSteps } from '#backend/identity/factors/second-steps.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { removeResetLinksOf, revokeInvitationOf } from '#backend/identity/users/account-link.ts';
import { lastAdmin } from './change-user.ts';
import { refuseWeak } from '#backend/identity/users/password-rules.ts';
import { type User, UserEntity, emailKey, lockActiveAdmins, lockUser } from '#backend/identity/users/user.ts';

/**
 * Makes an account, and takes back the invitation that its e-mail may have. The role is whatever the caller's schema let
 * through.
 *
 * @throws {ProblemError} 422 for a password that strangers would guess, 409 when the e-mail is taken, in whatever case.
 */
export async function createUser(
  { database, passwords }: { database: Database; passwords: Passwords },
  author: Author,
  input: Omit<NewUser, 'role'> & Pick<User, 'role'>,
): Promise<User> {
  refuseWeak(input.password, input);
  const user: User = {
    id: newId(),
    email: input.email,
    emailKey: emailKey(input.email),
    displayName: input.displayName,
    role: input.role,
    isActive: true,
    isService: false,
    passwordHash: await passwords.hash(input.password),
    passwordChangedAt: null,
    createdAt: Date.now(),
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
  };
  try {
    await onBehalfOf(database, author).transaction(async (tx) => {
      await tx.getRepository(UserEntity).insert(user);
      await addAudit(tx, author, 'user_created', user.email);
      await revokeInvitationOf(tx, author, user);
      announce(tx, { type: 'members_changed' });
    });
  } catch (error) {
    if (!database.dialect.isDuplicate(error)) throw error;
    throw conflict(`There is an account with the e-mail ${user.email} already.`);
  }
  return user;
}

/**
 * Disables or enables an account; one that is as wanted stays as it is. Disabling ends its sessions and sockets at once, takes
 * back the links that reset its password, and its open alerts return to the inbox.
 *
 * @param wanted absent: the other state than the account's, for callers that do not say which
 * @throws {ProblemError} 404 when there is no such account, 409 for one's own and for the last active administrator's.
 */
export async function setUserActive(
  { database }: { database: Database },
  author: Author,
  id: string,
  wanted?: boolean,
): Promise<User> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    // Locked in this order, so that of two administrators who disable each other one comes too late.
    const admins = await lockActiveAdmins(tx);
    const found = await lockUser(tx, id);
    if (!found || found.isService) throw notFound('There is no account with this id.');
    const isActive = wanted ?? !found.isActive;
    if (!isActive && id === author.id) throw conflict('You cannot disable your own account.');
    if (isActive === found.isActive) return found;
    if (!isActive && admins.length === 1 && admins[0] === id) throw lastAdmin();
    await tx.getRepository(UserEntity).update({ id }, { isActive });
    await addAudit(tx, author, isActive ? 'user_enabled' : 'user_disabled', found.email);
    if (!isActive) await removeResetLinksOf(tx, id);
    if (!isActive) await tx.query('DELETE FROM mails WHERE user_id = ?', [id]);
    if (!isActive) await removeSessionsOf(tx, id, { by: author });
    announce(tx, { type: 'members_changed' });
    if (!isActive) announce(tx, { type: 'member_disabled', userId: id });
    return { ...found, isActive };
  });
}

/**
 * Sets a new password. Ends the account's sessions and sockets at once.
 *
 * @throws {ProblemError} 404 when there is no such account, 422 for a password that strangers would guess.
 */
export async function resetPassword(
  { database, passwords, securityMails }: { database: Database; passwords: Passwords; securityMails: SecurityMails },
  author: Author,
  id: string,
  newPassword: string,
): Promise<User> {
  const passwordHash = await passwords.hash(newPassword);
  return onBehalfOf(database, author).transaction(async (tx) => {
    const found = await lockUser(tx, id);
    if (!found || found.isService) throw notFound('There is no account with this id.');
    refuseWeak(newPassword, found, 'newPassword');
    const change = { passwordHash, passwordChangedAt: Date.now() };
    await tx.getRepository(UserEntity).update({ id }, change);
    await forgetBrowsers(tx, id);
    await removeResetLinksOf(tx, id);
    await addAudit(tx, author, 'password_reset', found.email);
    await securityMails.add(tx, found, 'password_reset', author);
    await removeSessionsOf(tx, id, { by: author });
    announce(tx, { type: 'members_changed' });
    return { ...found, ...change };
  });
}

/**
 * Removes every second step of a member, for who has lost theirs: authenticator app, passkeys, recovery codes, remembered
 * browsers. Ends the account's sessions and sockets at once; the password alone lets them in again.
 *
 * @throws {ProblemError} 404 when there is no such account, 409 for that of a service.
 */
export async function resetSecondStep(
  { database, securityMails }: { database: Database; securityMails: SecurityMails },
  author: Author,
  id: string,
): Promise<User> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const found = await lockUser(tx, id);
    if (!found) throw notFound('There is no account with this id.');
    if (found.isService) throw serviceAccount();
    await removeSecondSteps(tx, id);
    await addAudit(tx, author, 'second_step_reset', found.email);
    await securityMails.add(tx, found, 'second_step_reset', author);
    await removeSessionsOf(tx, id, { by: author });
    announce(tx, { type: 'members_changed' });
    return found;
  });
}

/**
 * Hashes the password that was just checked again, with today's work factor. Nothing else changes; when the password was
 * changed in the same moment, nothing at all.
 */
export async function rehash(
  { database, passwords }: { database: Database; passwords: Passwords },
  user: User,
  password: string,
): Promise<User> {
  const passwordHash = await passwords.hash(password);
  const { affected } = await database.transaction((tx) =>
    tx.getRepository(UserEntity).update({ id: user.id, passwordHash: user.passwordHash }, { passwordHash }),
  );
  return affected === 1 ? { ...user, passwordHash } : user;
}

/**
 * Gives an account another role; one that has it already stays as it is. Ends its sessions, so that nobody goes on with what
 * they may no longer do.
 *
 * @throws {ProblemError} 404 when there is no such account, 409 when it is the last active administrator's.
 */
export async function setUserRole(
  { database }: { database: Database },
  author: Author,
  id: string,
  role: User['role'],
): Promise<User> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const admins = await lockActiveAdmins(tx);
    const found = await lockUser(tx, id);
    if (!found) throw notFound('There is no account with this id.');
    if (found.isService) throw serviceAccount();
    if (role === found.role) return found;
    if (role !== 'admin' && admins.length === 1 && admins[0] === id) throw lastAdmin();
    await tx.getRepository(UserEntity).update({ id }, { role });
    await addAudit(tx, author, 'role_changed', `${found.email}: ${found.role} → ${role}`);
    await removeSessionsOf(tx, id, { by: author });
    announce(tx, { type: 'members_changed' });
    return { ...found, role };
  });
}

/** Its token would end with the sessions that it does not have. */
const serviceAccount = () =>
  conflict(
    'This is the account of a service. It has a token alone, which administrators end and make in the Admin Panel.',
  );
