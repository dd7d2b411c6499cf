import { EntitySchema, type EntityManager, MoreThan } from 'typeorm';
import {
  type AccountLink,
  type AccountLinkKind,
  LINK_LIFETIME_MS,
  type LinkMail,
  type LinkSubject,
} from '#backend/contract/account-link.ts';
import type { Role } from '#backend/contract/session.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';
import { newId } from '#backend/database/ids.ts';
import type { Database } from '#backend/database/database.ts';
import { prune } from '#backend/database/prune.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import { conflict, notFound } from '#backend/endpoint/errors.ts';
import { newToken, sessionIdOf as hashOf } from '#backend/sessions/session-tokens.ts';

/** A link that makes an account or resets a password, until it is used, revoked or pruned. Its token is kept nowhere. */
export interface StoredAccountLink {
  id: string;
  kind: AccountLinkKind;
  /** SHA-256 of the token's 256 random bits, in hex. */
  tokenHash: string;
  /** There is one link at most for each: the e-mail to invite as it is compared, or the id of the account to reset. */
  subjectKey: string;
  /** Whose password it resets; null for an invitation. */
  userId: string | null;
  email: string;
  displayName: string;
  role: Role;
  /** Who made it; null for who asked for it on the sign-in page. */
  byName: string | null;
  createdAt: number;
  expiresAt: number;
  mail: LinkMail;
  mailError: string | null;
}

/** Longest reason of a mail server that is kept, in characters. */
export const MAX_MAIL_ERROR = 300;

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
  about: Pick<StoredAccountLink, 'kind' | 'subjectKey' | 'userId' | 'email' | 'displayName' | 'role' | 'byName'>,
  isMailed: boolean,
): Promise<{ link: StoredAccountLink; token: string }> {
  const { token, stored } = newLinkTimes(isMailed);
  const link: StoredAccountLink = { id: newId(), ...about, ...stored };
  await tx.getRepository(AccountLinkEntity).insert(link);
  return { link, token };
}

/** What everybody gets whose link cannot be used, whatever the reason. */
export const invalidLink = () => notFound('This link is not valid any more. Ask an administrator for another one.');

/** The link that has this token, while it may be used. */
export async function findLink(manager: EntityManager, token: string): Promise<StoredAccountLink> {
  const link = await manager
    .getRepository(AccountLinkEntity)
    .findOneBy({ tokenHash: hashOf(token), expiresAt: MoreThan(Date.now()) });
  if (!link) throw invalidLink();
  return link;
}

/**
 * Uses a link up: of any number of people, tabs and servers one gets through.
 *
 * @throws {ProblemError} 404 for everybody else
 */
export async function useUpLink(tx: Transaction, { id, tokenHash }: StoredAccountLink): Promise<void> {
  await tx.query('DELETE FROM mails WHERE link_id = ?', [id]);
  const { affected } = await tx
    .getRepository(AccountLinkEntity)
    // Renewed meanwhile, it has another token.
    .delete({ id, tokenHash, expiresAt: MoreThan(Date.now()) });
  if (affected !== 1) throw invalidLink();
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
 * invites at the same moment waits for one of the two rows. Returns whether there was one.
 *
 * @param key the e-mail as it is compared
 */
export async function removeInvitationOf(tx: Transaction, key: string): Promise<boolean> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM account_links WHERE kind = 'invitation' AND subject_key = ?${tx.dialect.forUpdate}`,
    [key],
  );
  const [found] = rows;
  return found !== undefined && removeLink(tx, found.id);
}

/** Takes back the link that resets a member's password, in the transaction that changes it or makes another link. */
export async function removeResetLinkOf(tx: Transaction, userId: string): Promise<void> {
  const link = await tx.getRepository(AccountLinkEntity).findOneBy({ kind: 'reset', subjectKey: userId });
  if (link) await removeLink(tx, link.id);
}

/** A link that has run out is listed for so long, so that it can be renewed. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** How often links that ran out long ago are looked for, in milliseconds. */
export const LINK_PRUNE_MS = 60 * 60 * 1000;

/** Deletes links that ran out long ago. */
export const pruneLinks = (database: Pick<Database, 'dialect' | 'reads' | 'transaction'>, stopping: AbortSignal) =>
  prune(
    database,
    { table: 'account_links', column: 'expires_at', index: 'account_links_expiry' },
    Date.now() - KEPT_MS,
    stopping,
  );
