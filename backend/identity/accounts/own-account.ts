import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { hash } from 'node:crypto';
import { type Author, addAudit, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import type { PasswordChange, ProfileChange } from '#backend/contract/account.ts';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { ListOrders } from '#backend/contract/session.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notSignedIn, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { endMadeOf, removeSessionsOf, renewSession } from '#backend/identity/sessions/session-store.ts';
import { ApiTokenEntity, nameOfToken } from '#backend/identity/sessions/api-token.ts';
import { removeResetLinksOf } from '#backend/identity/users/account-link.ts';
import type { PasswordCheck } from '#backend/identity/users/password-check.ts';
import { refuseWeak } from '#backend/identity/users/password-rules.ts';
import { MAX_LIST_MEMORY, type User, UserEntity, lockUser } from '#backend/identity/users/user.ts';

/** Changes the member's own name, how they read times, or how they see a list; what is absent stays. */
export async function changeProfile(
  { database }: { database: Database },
  author: Author,
  userId: string,
  change: ProfileChange,
): Promise<User> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const found = await lockUser(tx, userId);
    if (!found) throw notSignedIn();
    const changed: User = {
      ...found,
      displayName: change.displayName ?? found.displayName,
      timeFormat: change.timeFormat ?? found.timeFormat,
      timeZone: change.timeZone === undefined ? found.timeZone : change.timeZone,
      listOrders: change.listOrder ? ordersWith(found.listOrders, change.listOrder) : found.listOrders,
      openGroups: change.completedGroup ? groupsWith(found.openGroups, change.completedGroup) : found.openGroups,
    };
    const { displayName, timeFormat, timeZone, listOrders, openGroups } = changed;
    await tx
      .getRepository(UserEntity)
      .update({ id: userId }, { displayName, timeFormat, timeZone, listOrders, openGroups });
    if (displayName !== found.displayName) {
      await addAudit(tx, author, 'display_name_changed', `${found.displayName} → ${displayName}`);
    }
    announce(tx, { type: 'profile_changed', userId }, { type: 'members_changed' });
    return changed;
  });
}

/** The orders of lists with that of one. Newest first is what a list has anyway; the oldest ones go where there are too many. */
function ordersWith(orders: ListOrders | null, { list, sort }: { list: string; sort: AlertSort }): ListOrders | null {
  const others = Object.entries(orders ?? {}).filter(([name]) => name !== list);
  const all = sort === 'newest' ? others : [...others, [list, sort] as const];
  while (JSON.stringify(Object.fromEntries(all)).length > MAX_LIST_MEMORY) all.shift();
  return all.length === 0 ? null : Object.fromEntries(all);
}

/** The lists whose completed alerts are shown, with one more or without it; the oldest ones go where there are too many. */
function groupsWith(groups: string[] | null, { list, isOpen }: { list: string; isOpen: boolean }): string[] | null {
  const others = (groups ?? []).filter((name) => name !== list);
  const all = isOpen ? [...others, list] : others;
  while (JSON.stringify(all).length > MAX_LIST_MEMORY) all.shift();
  return all.length === 0 ? null : all;
}

/** Revokes every API token of a member, each with its entry. */
async function revokeTokensOf(tx: Transaction, author: Author, userId: string): Promise<void> {
  const tokens = tx.getRepository(ApiTokenEntity);
  for (const token of await tokens.findBy({ userId })) {
    if ((await tokens.delete({ id: token.id })).affected !== 1) continue;
    await addAudit(tx, author, 'api_token_revoked', nameOfToken(token), { detail: fingerprintOf(token.tokenHash) });
  }
}

/** Ends the pushes of a session but those to its own browser: a copy of the session may have asked for the others. */
const removePushesOf = (tx: Transaction, sessionId: string, ownEndpoint = ''): Promise<unknown> =>
  tx.query('DELETE FROM push_subscriptions WHERE session_id = ? AND endpoint_hash <> ?', [
    sessionId,
    hash('sha256', ownEndpoint),
  ]);

/**
 * Changes the member's own password. The session that asks goes on under another token, so that a copy of the token before
 * is worth nothing, and neither are pushes that were asked for with it. As they wish, every other session of theirs ends at
 * once, with its sockets and the links that they have made, and their API tokens, too.
 *
 * @returns the member before and after, and what the session's cookies are made of
 * @throws {ProblemError} 422 when the current password is wrong or the new one is the same or would be guessed, 429 after too many wrong ones,
 * 409 when the password was changed in the same moment
 */
export async function changePassword(
  { database, passwords, securityMails }: { database: Database; passwords: Passwords; securityMails: SecurityMails },
  check: PasswordCheck,
  { actor, author }: { actor: Actor; author: Author },
  { currentPassword, newPassword, endSessions, revokeTokens, pushEndpoint }: PasswordChange,
): Promise<{ before: User; after: User; session: { token: string; id: string } }> {
  const before = await check.confirm(actor, author, currentPassword, 'change');
  if (currentPassword === newPassword) throw samePassword();
  refuseWeak(newPassword, before, 'newPassword');
  const passwordHash = await passwords.hash(newPassword);
  const { after, session } = await onBehalfOf(database, author).transaction(async (tx) => {
    const found = await lockUser(tx, actor.id);
    if (found?.passwordHash !== before.passwordHash) throw changedMeanwhile();
    const changed = { passwordHash, passwordChangedAt: Date.now() };
    await tx.getRepository(UserEntity).update({ id: actor.id }, changed);
    const renewed = await renewSession(tx, actor.sessionId);
    await removePushesOf(tx, renewed.id, pushEndpoint);
    await removeResetLinksOf(tx, actor.id);
    await addAudit(tx, author, 'password_changed', found.email);
    await securityMails.add(tx, found, 'password_changed', author);
    if (revokeTokens) await revokeTokensOf(tx, author, actor.id);
    if (endSessions) await removeSessionsOf(tx, actor.id, { keptId: renewed.id });
    // Whoever was in another session may have made them.
    if (endSessions) await endMadeOf(tx, actor.id);
    // A reset link of theirs may have gone.
    announce(tx, { type: 'members_changed' });
    return { after: { ...found, ...changed }, session: renewed };
  });
  return { before, after, session };
}

const samePassword = () => {
  const message = 'is the current password';
  return unacceptable('The new password is the current one. Choose another.', [{ path: 'newPassword', message }]);
};

const changedMeanwhile = () => conflict('Your password was changed in the same moment. Try again.');
