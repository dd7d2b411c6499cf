import type { Database } from '#backend/platform/database/database.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { In } from 'typeorm';
import { type User, UserEntity, findUser, lockActiveAdmins, lockUser } from '#backend/identity/users/user.ts';
import { type Author, addAudit, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import { API_TOKEN_PREFIX, MAX_TOKENS, type NewApiToken, type NewServiceToken } from '#backend/contract/api-token.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { removeSessionsOf } from '#backend/identity/sessions/session-store.ts';
import { newToken } from '#backend/identity/users/session-tokens.ts';
import { requireShortLife } from './token-rule.ts';
import { ApiTokenEntity, type StoredApiToken, nameOfToken, tokenHashOf } from '#backend/identity/sessions/api-token.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Nobody's password: bcrypt makes no such hash. */
const NO_PASSWORD = 'no password';

/** A new token and its plain text, which is kept nowhere. */
interface Made {
  token: StoredApiToken;
  plain: string;
}

function make(userId: string, { name, scope, expiresInDays }: NewApiToken): Made {
  const plain = `${API_TOKEN_PREFIX}${newToken()}`;
  const createdAt = Date.now();
  const expiresAt = expiresInDays === null ? null : createdAt + expiresInDays * DAY_MS;
  return {
    token: {
      id: newId(),
      userId,
      name,
      scope,
      tokenHash: tokenHashOf(plain),
      createdAt,
      expiresAt,
      lastUsedAt: null,
    },
    plain,
  };
}

/**
 * Makes a token that acts for its member.
 *
 * @throws {ProblemError} 409 when the member has {@link MAX_TOKENS} already, 422 when it would work too long.
 */
export async function createApiToken(
  { database, securityMails }: { database: Database; securityMails: SecurityMails },
  author: Author & { id: string },
  input: NewApiToken,
): Promise<Made> {
  const made = make(author.id, input);
  await onBehalfOf(database, author).transaction(async (tx) => {
    // Held, so that a password reset in the same moment deletes this token or refuses the session that asks.
    const user = await lockUser(tx, author.id);
    if (!user?.isActive) throw notSignedIn();
    const tokens = tx.getRepository(ApiTokenEntity);
    if ((await tokens.countBy({ userId: author.id })) >= MAX_TOKENS) {
      throw conflict(`You have ${MAX_TOKENS} API tokens already; revoke one first.`);
    }
    await requireShortLife(tx, input.expiresInDays);
    await tokens.insert(made.token);
    await addAudit(tx, author, 'api_token_created', nameOfToken(input), {
      detail: fingerprintOf(made.token.tokenHash),
    });
    await securityMails.add(tx, user, 'api_token_created', author, { detail: nameOfToken(input) });
    announce(tx, { type: 'profile_changed', userId: author.id });
  });
  return made;
}

/**
 * Revokes one of the member's own tokens: from the commit on every server refuses it.
 *
 * @throws {ProblemError} 404 when there is no such token of theirs.
 */
export async function revokeApiToken(
  { database, securityMails }: { database: Database; securityMails: SecurityMails },
  author: Author & { id: string },
  id: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const tokens = tx.getRepository(ApiTokenEntity);
    const found = await tokens.findOneBy({ id, userId: author.id });
    if (!found || (await tokens.delete({ id })).affected !== 1) throw unknownToken();
    await addAudit(tx, author, 'api_token_revoked', nameOfToken(found), { detail: fingerprintOf(found.tokenHash) });
    const user = await findUser(tx, author.id);
    if (user) await securityMails.add(tx, user, 'api_token_revoked', author, { detail: nameOfToken(found) });
    announce(tx, { type: 'profile_changed', userId: author.id });
  });
}

/**
 * Makes an account that nobody signs in with, and its token.
 *
 * @throws {ProblemError} 409 when there are {@link MAX_TOKENS} already, 422 when it would work too long.
 */
export async function createServiceToken(
  { database }: { database: Database },
  author: Author,
  { role, ...input }: NewServiceToken,
): Promise<Made & { user: User }> {
  const userId = newId();
  const email = `service-${userId}@service.invalid`;
  const made = make(userId, input);
  const user: User = {
    id: userId,
    email,
    emailKey: email,
    displayName: input.name,
    role,
    isActive: true,
    isService: true,
    passwordHash: NO_PASSWORD,
    passwordChangedAt: null,
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
    createdAt: made.token.createdAt,
  };
  await onBehalfOf(database, author).transaction(async (tx) => {
    // Held by whoever makes a service: of two at once, one counts what the other has made.
    await lockActiveAdmins(tx);
    if ((await listServices(tx)).length >= MAX_TOKENS) {
      throw conflict(`There are ${MAX_TOKENS} service tokens already; revoke one first.`);
    }
    await requireShortLife(tx, input.expiresInDays);
    await tx.getRepository(UserEntity).insert(user);
    await tx.getRepository(ApiTokenEntity).insert(made.token);
    await addAudit(tx, author, 'service_token_created', `${nameOfToken(input)}, ${role}`, {
      detail: fingerprintOf(made.token.tokenHash),
    });
    announce(tx, { type: 'members_changed' });
  });
  return { ...made, user };
}

/** The services that have a token, newest first. */
export async function listServices(
  reads: Pick<Transaction, 'getRepository'>,
): Promise<{ token: StoredApiToken; user: User }[]> {
  const users = await reads.getRepository(UserEntity).find({ where: { isService: true, isActive: true } });
  const byId = new Map(users.map((user) => [user.id, user]));
  const tokens = await reads
    .getRepository(ApiTokenEntity)
    .find({ where: { userId: In([...byId.keys()]) }, order: { id: 'DESC' } });
  return tokens.flatMap((token) => {
    const user = byId.get(token.userId);
    return user ? [{ token, user }] : [];
  });
}

/**
 * Revokes a service's token. Its account stays under its name in histories; its open alerts return to the inbox.
 *
 * @throws {ProblemError} 404 when there is no such token.
 */
export async function revokeServiceToken(
  { database }: { database: Database },
  author: Author,
  id: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const token = await tx.getRepository(ApiTokenEntity).findOneBy({ id });
    const user = token && (await lockUser(tx, token.userId));
    if (!token || !user?.isService || !user.isActive) throw unknownToken();
    await tx.getRepository(UserEntity).update({ id: user.id }, { isActive: false });
    await removeSessionsOf(tx, user.id);
    await addAudit(tx, author, 'service_token_revoked', nameOfToken(token), { detail: fingerprintOf(token.tokenHash) });
    announce(tx, { type: 'member_disabled', userId: user.id }, { type: 'members_changed' });
  });
}

const unknownToken = () => notFound('There is no token with this id.');
