import { EntitySchema } from 'typeorm';
import { type ChatAccount, type ChatService, SERVICE_NAMES } from '#backend/contract/chat-account.ts';
import { onOneLine } from '#backend/contract/name.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { UserEntity, findDisplayNames, findUser } from '#backend/identity/users/user.ts';
import { idColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';

/** Which member acts by an account of a chat. */
export interface StoredChatAccount {
  id: string;
  userId: string;
  service: ChatService;
  /** The workspace or server. */
  place: string;
  /** Its id there. */
  account: string;
  accountName: string;
  isByEmail: boolean;
  createdAt: number;
}

export const ChatAccountEntity = new EntitySchema<StoredChatAccount>({
  name: 'ChatAccount',
  tableName: 'chat_accounts',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    service: textColumn('service', 16),
    place: textColumn('place', 255),
    account: textColumn('account', 100),
    accountName: textColumn('account_name', 100),
    isByEmail: { type: 'boolean', name: 'is_by_email' },
    createdAt: timeColumn('created_at'),
  },
});

/** An account of a chat that a member disconnected. Its email connects it no more: who has it may be somebody else. */
interface DisconnectedChat extends Pick<StoredChatAccount, 'service' | 'place' | 'account'> {
  disconnectedAt: number;
}

export const DisconnectedChatEntity = new EntitySchema<DisconnectedChat>({
  name: 'DisconnectedChat',
  tableName: 'disconnected_chats',
  columns: {
    service: primary(textColumn('service', 16)),
    place: primary(textColumn('place', 255)),
    account: primary(textColumn('account', 100)),
    disconnectedAt: timeColumn('disconnected_at'),
  },
});

/** An account of a chat, as the chat names it. */
export type NamedAccount = Pick<StoredChatAccount, 'service' | 'place' | 'account' | 'accountName'>;

/** What a chat calls an account, on one line and as long as it is kept. */
export const accountNameOf = (name: string): string => onOneLine(name.slice(0, 100));

export const presentChatAccount = ({
  id,
  service,
  place,
  accountName,
  isByEmail,
  createdAt,
}: StoredChatAccount): ChatAccount => ({
  id,
  service,
  place,
  accountName,
  isByEmail,
  createdAt: new Date(createdAt).toISOString(),
});

/** The accounts by which a member acts, the oldest first. */
export const findChatAccounts = ({ reads }: Database, userId: string): Promise<StoredChatAccount[]> =>
  reads.getRepository(ChatAccountEntity).find({ where: { userId }, order: { id: 'ASC' } });

/**
 * Lets a member act by an account of a chat whose link they opened, and mails them that. Again changes nothing.
 *
 * @throws {ProblemError} 409 when it is another member's, or the member acts by another one of the same place
 */
export const connectByLink = (
  { database, securityMails }: { database: Database; securityMails: SecurityMails },
  author: Author & { id: string },
  named: NamedAccount,
): Promise<StoredChatAccount> =>
  connecting(database, author, async (tx) => {
    const { service, place, account } = named;
    await tx.getRepository(DisconnectedChatEntity).delete({ service, place, account });
    const isKnown = await tx.getRepository(ChatAccountEntity).existsBy({ service, place, account });
    const stored = await connect(tx, author, named, false);
    const user = isKnown ? null : await findUser(tx, author.id);
    const detail = `${SERVICE_NAMES[service]} ${place}: ${stored.accountName}`;
    if (user) await securityMails.add(tx, user, 'chat_account_connected', author, { detail });
    return stored;
  });

/**
 * Lets the member act by an account of a chat whose email the chat has confirmed. Again changes nothing.
 *
 * @param author the member, by the email that found them
 * @returns undefined for an account that was disconnected, and for a member whose email is another one by now
 * @throws {ProblemError} 409 when it is another member's, or the member acts by another one of the same place
 */
export const connectByEmail = (
  database: Database,
  author: Author & { id: string },
  named: NamedAccount,
): Promise<StoredChatAccount | undefined> =>
  connecting(database, author, async (tx) => {
    const { service, place, account } = named;
    // In this order, as whoever changes the email does.
    const [user] = await tx.holdRows(UserEntity, { id: author.id });
    if (user?.email !== author.name) return undefined;
    const isDisconnected = await tx.getRepository(DisconnectedChatEntity).existsBy({ service, place, account });
    return isDisconnected ? undefined : connect(tx, author, named, true);
  });

async function connecting<T>(database: Database, author: Author, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const attempt = (): Promise<T> => onBehalfOf(database, author).transaction(work);
  try {
    return await attempt();
  } catch (error) {
    // Of two at once one was first: the second reads what it stored.
    if (database.dialect.isDuplicate(error)) return attempt();
    throw error;
  }
}

async function connect(
  tx: Transaction,
  author: Author & { id: string },
  named: NamedAccount,
  isByEmail: boolean,
): Promise<StoredChatAccount> {
  const { service, place, account } = named;
  const repository = tx.getRepository(ChatAccountEntity);
  const taken = await repository.findOneBy({ service, place, account });
  if (taken?.userId === author.id) return taken;
  if (taken) throw await takenBy(tx, taken);
  const other = await repository.findOneBy({ service, place, userId: author.id });
  if (other) throw alreadyAnother(other);
  const stored = { ...named, id: newId(), userId: author.id, isByEmail, createdAt: Date.now() };
  await repository.insert(stored);
  await addAudit(tx, author, 'chat_account_connected', named.accountName, {
    detail: `${SERVICE_NAMES[service]} ${place}${isByEmail ? ', by email' : ''}`,
  });
  return stored;
}

/** Ends that a member acts by one of their accounts, until it is connected by a link. @throws {ProblemError} 404 */
export async function disconnectAccount(
  database: Database,
  author: Author & { id: string },
  id: string,
): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const found = await tx.getRepository(ChatAccountEntity).findOneBy({ id, userId: author.id });
    if (!found) throw notConnected();
    const { service, place, account } = found;
    const { affected } = await tx.getRepository(ChatAccountEntity).delete({ id });
    // Of two at once one was first.
    if (affected !== 1) throw notConnected();
    // It is there already where a server of an earlier release has connected it by email since.
    await tx.getRepository(DisconnectedChatEntity).save({ service, place, account, disconnectedAt: Date.now() });
    await addAudit(tx, author, 'chat_account_disconnected', found.accountName, {
      detail: `${SERVICE_NAMES[found.service]} ${found.place}`,
    });
  });
}

const notConnected = () => notFound('This account is not connected any more.');

async function takenBy(tx: Transaction, { userId, service }: StoredChatAccount) {
  const name = (await findDisplayNames(tx, [userId])).get(userId) ?? 'somebody else';
  const what = SERVICE_NAMES[service];
  return conflict(
    `This ${what} account is connected to ${name} already. Two people cannot act by one account: ${name} has to disconnect it first, under My Account.`,
  );
}

const alreadyAnother = ({ service, accountName }: StoredChatAccount) =>
  conflict(
    `You are connected to another ${SERVICE_NAMES[service]} account there already, ${accountName}. Disconnect it first, under My Account.`,
  );
