import { type ChatService, SERVICE_NAMES } from '#backend/contract/chat-account.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import type { UserChange } from '#backend/contract/member-access.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import { removeResetLinksOf, revokeInvitationOf } from '#backend/identity/users/account-link.ts';
import { type User, UserEntity, emailKey, lockActiveAdmins, lockUser } from '#backend/identity/users/user.ts';

/** 409 for what would leave nobody to manage the installation. */
export const lastAdmin = () => conflict('This is the last active administrator; make another one first.');

/**
 * Changes what an account is called, by which e-mail it signs in, and its role. Another role ends the sessions and API
 * tokens of the account; another e-mail ends its reset link, which went to the address before, and the chat accounts that were
 * connected by it, and takes the place of an invitation.
 *
 * @throws {ProblemError} 404 when there is no such account, 409 when the e-mail is taken, for one's own role, for the role
 * of the last active administrator, and for the break-glass administrator
 */
export async function changeUser(
  { config, database, securityMails }: { config: IdentityConfig; database: Database; securityMails: SecurityMails },
  author: Author,
  id: string,
  change: UserChange,
): Promise<User> {
  const work = async (tx: Transaction) => {
    // Locked in this order, as whoever disables administrators does.
    const admins = await lockActiveAdmins(tx);
    const found = await lockUser(tx, id);
    if (!found || found.isService) throw notFound('There is no account with this id.');
    const email = change.email ?? found.email;
    const changed: User = {
      ...found,
      email,
      emailKey: emailKey(email),
      displayName: change.displayName ?? found.displayName,
      role: change.role ?? found.role,
    };
    const [isRenamed, isElsewhere, hasRole] = [
      changed.displayName !== found.displayName,
      changed.email !== found.email,
      changed.role !== found.role,
    ];
    refuseBreakGlass(config, found.email);
    refuseBreakGlass(config, email);
    if (hasRole && id === author.id) throw conflict('You cannot change your own role.');
    if (hasRole && found.role === 'admin' && admins.length === 1 && admins[0] === id) throw lastAdmin();
    const { displayName, role } = changed;
    await tx
      .getRepository(UserEntity)
      .update({ id }, { email: changed.email, emailKey: changed.emailKey, displayName, role });
    if (isRenamed)
      await addAudit(tx, author, 'display_name_changed', `${found.email}: ${found.displayName} → ${displayName}`);
    if (isElsewhere) {
      await addAudit(tx, author, 'email_changed', `${found.email} → ${email}`);
      const addresses = { detail: `${found.email} → ${email}`, to: [found.email] };
      await securityMails.add(tx, changed, 'email_changed', author, addresses);
      await removeResetLinksOf(tx, id);
      await revokeInvitationOf(tx, author, changed);
    }
    if (changed.emailKey !== found.emailKey) await endChatsOfEmail(tx, author, changed);
    if (hasRole) await addAudit(tx, author, 'role_changed', `${email}: ${found.role} → ${role}`);
    if (hasRole) await removeSessionsOf(tx, id, { by: author });
    announce(tx, { type: 'profile_changed', userId: id }, { type: 'members_changed' });
    return changed;
  };
  return onBehalfOf(database, author)
    .transaction(work)
    .catch((error: unknown) => {
      if (!database.dialect.isDuplicate(error)) throw error;
      throw conflict(`There is an account with the e-mail ${change.email ?? ''} already.`);
    });
}

/** Chat accounts that the e-mail before connected are of whoever has that address; by the new one the next press connects. */
async function endChatsOfEmail(tx: Transaction, author: Author, { id, email }: User): Promise<void> {
  const isOfEmail = 'FROM chat_accounts WHERE user_id = ? AND is_by_email = 1';
  const ended: { name: string; service: ChatService; place: string }[] = await tx.query(
    `SELECT account_name AS name, service, place ${isOfEmail} ORDER BY id`,
    [id],
  );
  await tx.query(`DELETE ${isOfEmail}`, [id]);
  for (const { name, service, place } of ended) {
    await addAudit(tx, author, 'chat_account_disconnected', name, {
      detail: `${email}: ${SERVICE_NAMES[service]} ${place}`,
    });
  }
}
