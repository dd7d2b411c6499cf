import { MAX_MAIL_ERROR, type MailSubjects } from '#backend/platform/mail/mail-queue.ts';
import { EntitySchema, type EntityManager, In, MoreThan, Not } from 'typeorm';
import { type Author, addAudit, fingerprintOf } from '#backend/identity/audit/audit-log.ts';
import {
  type AccountLink,
  type AccountLinkKind,
  LINK_LIFETIME_MS,
  type LinkMail,
  type LinkSubject,
} from '#backend/contract/account-link.ts';
import type { Role } from '#backend/contract/session.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type WrongCredential, conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { newToken, sessionIdOf as hashOf } from './session-tokens.ts';
import { type User, UserEntity, findUser, findUserByEmail } from './user.ts';

/** A link that makes an account or resets a password, until it is used, revoked or pruned. Its token is kept nowhere. */
export interface StoredAccountLink {
  id: string;
  kind: AccountLinkKind;
  /** SHA-256 of the token's 256 random bits, in hex. */
  tokenHash: string;
  /**
   * There is one link at most for each: the e-mail to invite as it is compared, the id of the account to reset, or the same
   * with {@link ASKED} before it where somebody asked on the sign-in page, which ends no link of an administrator's.
   */
  subjectKey: string;
  /** Whose password it resets; null for an invitation. */
  userId: string | null;
  email: string;
  displayName: string;
  role: Role;
  /** E-mail of who made it, as it was then; null for who asked for it on the sign-in page. */
  byName: string | null;
  /** Who made it, and may still make such links while it works; null likewise, and of links of the release before. */
  byId: string | null;
  createdAt: number;
  expiresAt: number;
  mail: LinkMail;
  mailError: string | null;
}

/** Before the account in the subject of a reset link that was asked for on the sign-in page. */
export const ASKED = 'asked:';

export const AccountLinkEntity = new EntitySchema<StoredAccountLink>({
  name: 'AccountLink',
  tableName: 'account_links',
  columns: {
    id: primary(idColumn('id')),
    kind: textColumn('kind', 16),
    tokenHash: textColumn('token_hash', 64),
    subjectKey: textColumn('subject_key', 254),
    userId: nullable(idColumn('user_id')),
    email: textColumn('email', 254),
    displayName: textColumn('display_name', 100),
    role: textColumn('role', 16),
    byName: nullable(textColumn('by_name', 254)),
    byId: nullable(idColumn('by_id')),
    createdAt: timeColumn('created_at'),
    expiresAt: timeColumn('expires_at'),
    mail: textColumn('mail', 8),
    mailError: nullable(textColumn('mail_error', MAX_MAIL_ERROR)),
  },
});

const isoOf = (time: number): string => new Date(time).toISOString();

/** A link as administrators see it. */
export const presentAccountLink = (link: StoredAccountLink): AccountLink => {
  const { id, kind, email, displayName, role, byName, createdAt, expiresAt, mail, mailError } = link;
  const times = { createdAt: isoOf(createdAt), expiresAt: isoOf(expiresAt) };
  return { id, kind, email, displayName, role, byName, ...times, mail, mailError };
};

/** A link as its holder sees it. */
export const presentLinkSubject = ({ kind, email, displayName, expiresAt }: StoredAccountLink): LinkSubject => ({
  kind,
  email,
  displayName,
  expiresAt: isoOf(expiresAt),
});

/** A token, and what of a link follows from it and the moment. */
export function newLinkTimes(isMailed: boolean, now: number = Date.now()) {
  const token = newToken();
  const mail: LinkMail = isMailed ? 'queued' : 'none';
  return {
    token,
    stored: { tokenHash: hashOf(token), createdAt: now, expiresAt: now + LINK_LIFETIME_MS, mail, mailError: null },
  };
}

/** A new link and its token. Any other link of the same subject is to be gone already. */
export async function insertLink(
  tx: Transaction,
  about: Pick<
    StoredAccountLink,
    'kind' | 'subjectKey' | 'userId' | 'email' | 'displayName' | 'role' | 'byName' | 'byId'
  >,
  isMailed: boolean,
): Promise<{ link: StoredAccountLink; token: string }> {
  const { token, stored } = newLinkTimes(isMailed);
  const link: StoredAccountLink = { id: newId(), ...about, ...stored };
  await tx.getRepository(AccountLinkEntity).insert(link);
  return { link, token };
}

/** What everybody gets whose link cannot be used, whatever the reason. */
const refusedLink = (credential: Omit<WrongCredential, 'action'>) =>
  notFound('This link is no longer valid. Ask an administrator for a new one.', {
    action: 'link_refused',
    ...credential,
  });

/** The same of a link that is known. @param reason for the audit trail */
export const invalidLink = ({ id, email, kind }: Pick<StoredAccountLink, 'id' | 'email' | 'kind'>, reason: string) =>
  refusedLink({ mark: id, reason, subject: `${email}: ${kind}` });

/** The same of a link that is not known any more. */
export const unknownLink = (tokenHash: string) =>
  refusedLink({ mark: tokenHash, reason: `unknown, used or revoked, ${fingerprintOf(tokenHash)}` });

/** Why a link is not accepted, as the audit trail has it. */
export const FOR_BREAK_GLASS = 'for the break-glass administrator';
const MAKER_LOST_RIGHT = 'its maker may make no links any more';

/** The link that has this token, while it may be used. */
export async function findLink(manager: EntityManager, token: string): Promise<StoredAccountLink> {
  const tokenHash = hashOf(token);
  const link = await manager.getRepository(AccountLinkEntity).findOneBy({ tokenHash });
  if (!link) throw unknownLink(tokenHash);
  if (link.expiresAt <= Date.now()) throw invalidLink(link, 'ran out');
  const makerId = await makerIdOf(manager, link);
  if (makerId !== null && !mayMakeLinks(await manager.getRepository(UserEntity).findOneBy({ id: makerId }))) {
    throw invalidLink(link, MAKER_LOST_RIGHT);
  }
  return link;
}

/** A link is worth what its maker may do: administrators alone make them. */
const mayMakeLinks = (maker: User | null | undefined): boolean =>
  maker?.role === 'admin' && maker.isActive && !maker.isService;

/** Whose right a link stands on; null where its member asked for it. @throws {ProblemError} 404 when nobody has that name */
async function makerIdOf(manager: EntityManager, link: StoredAccountLink): Promise<string | null> {
  const { byId, byName } = link;
  if (byId !== null || byName === null) return byId;
  const maker = await findUserByEmail(manager, byName);
  if (!maker) throw invalidLink(link, MAKER_LOST_RIGHT);
  return maker.id;
}

/**
 * Uses a link up: of any number of people, tabs and servers one gets through, and none once its maker has lost the right
 * to make it. Whoever takes that right away at the same moment waits for this, or this for them.
 *
 * @returns the locked account whose password it resets; undefined for an invitation
 * @throws {ProblemError} 404 for everybody else
 */
export async function useUpLink(tx: Transaction, link: StoredAccountLink): Promise<User | undefined> {
  const { id, tokenHash, userId } = link;
  const makerId = await makerIdOf(tx, link);
  const ids = [makerId, userId].filter((one) => one !== null);
  // Both at once, in the order in which everybody locks accounts.
  const people = ids.length > 0 ? await tx.holdRows(UserEntity, { id: In(ids) }) : [];
  if (makerId !== null && !mayMakeLinks(people.find((one) => one.id === makerId))) {
    throw invalidLink(link, MAKER_LOST_RIGHT);
  }
  await tx.query('DELETE FROM mails WHERE link_id = ?', [id]);
  const { affected } = await tx
    .getRepository(AccountLinkEntity)
    // Renewed meanwhile, it has another token.
    .delete({ id, tokenHash, expiresAt: MoreThan(Date.now()) });
  if (affected !== 1) throw invalidLink(link, 'used, renewed or revoked in the same moment');
  return people.find((one) => one.id === userId);
}

/**
 * Ends the links that a member has made, in the transaction that takes all of their access away. They stay in the list as
 * links that ran out, so that another administrator can renew them. No address works again, whatever the clocks say.
 */
export async function endLinksOf(tx: Transaction, makerId: string): Promise<void> {
  const links = tx.getRepository(AccountLinkEntity);
  const made = await links.find({ where: { byId: makerId, expiresAt: MoreThan(Date.now()) }, order: { id: 'ASC' } });
  for (const { id } of made) {
    await tx.query('DELETE FROM mails WHERE link_id = ?', [id]);
    // Of another maker by now, when it was renewed meanwhile.
    await links.update({ id, byId: makerId }, { tokenHash: hashOf(newToken()), expiresAt: Date.now(), mail: 'none' });
  }
}

export const alreadyInvited = (email: string) =>
  conflict(`${email} has been invited already. Renew or revoke that invitation instead.`);

/** Takes a link back, with the mail that it may be queued in. Returns whether it was there. */
export async function removeLink(tx: Transaction, id: string): Promise<boolean> {
  await tx.query('DELETE FROM mails WHERE link_id = ?', [id]);
  const { affected } = await tx.getRepository(AccountLinkEntity).delete({ id });
  return affected === 1;
}

/**
 * Takes back the invitation of an e-mail, in the transaction that makes its account after the account's row: whoever
 * invites at the same moment waits for one of the two rows.
 */
export async function revokeInvitationOf(
  tx: Transaction,
  author: Omit<Author, 'sessionId'>,
  { email, emailKey: key }: Pick<User, 'email' | 'emailKey'>,
): Promise<void> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM account_links WHERE kind = 'invitation' AND subject_key = ?${tx.dialect.forUpdate}`,
    [key],
  );
  const [found] = rows;
  if (found && (await removeLink(tx, found.id))) await addAudit(tx, author, 'link_revoked', `${email}: invitation`);
}

/**
 * Takes back the links that reset a member's password, in the transaction that changes it or makes another link.
 *
 * @param whose `asked` for the one that was asked for on the sign-in page alone
 * @param keptId the link that stays
 */
export async function removeResetLinksOf(
  tx: Transaction,
  userId: string,
  whose: 'all' | 'asked' = 'all',
  keptId = '',
): Promise<void> {
  const subjects = [`${ASKED}${userId}`, ...(whose === 'all' ? [userId] : [])];
  const links = await tx
    .getRepository(AccountLinkEntity)
    .findBy({ kind: 'reset', subjectKey: In(subjects), id: Not(keptId) });
  for (const { id } of links) await removeLink(tx, id);
}

/** A link that has run out is listed for so long, so that it can be renewed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** How often links that ran out long ago are looked for, in milliseconds. */
export const LINK_PRUNE_MS = 60 * 60 * 1000;

/** Deletes links that ran out long ago. */
export const pruneLinks = (
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  stopping: AbortSignal,
  now: number = Date.now(),
) =>
  prune(
    database,
    { table: 'account_links', column: 'expires_at', index: 'account_links_expiry' },
    now - KEPT_MS,
    stopping,
  );

/** Who is sent mails, and what became of those with a link, for the queue that sends them. */
export const createMailSubjects = ({ reads }: Pick<Database, 'reads'>): Omit<MailSubjects, 'isChosen'> => ({
  async addressOf(userId) {
    const user = await findUser(reads, userId);
    return user?.isActive ? user.email : undefined;
  },
  async reportLink(tx, linkId, state, mailError) {
    const links = tx.getRepository(AccountLinkEntity);
    if (state === 'queued') await links.update({ id: linkId, mail: state }, { mailError });
    else await links.update({ id: linkId }, { mail: state, mailError });
  },
});
