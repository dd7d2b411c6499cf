import { EntitySchema, type EntityManager, In } from 'typeorm';
import type { IdentityConfig } from './identity-config.ts';
import type { ListOrders, Role, Session, TimeFormat } from '#backend/contract/session.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

/** A stored member. Never leaves the backend. */
export interface User {
  id: string;
  email: string;
  /** The e-mail in lower case: unique without regard to case. */
  emailKey: string;
  displayName: string;
  role: Role;
  isActive: boolean;
  /** True for the account behind a service token: nobody signs in with it, and no alert is given to it. */
  isService: boolean;
  /** bcrypt, with its cost and salt. */
  passwordHash: string;
  /** Null while the password is the one the account was created with. */
  passwordChangedAt: number | null;
  createdAt: number;
  /** How they read times; null until they choose. */
  timeFormat: TimeFormat | null;
  /** Name of their time zone; null for that of each device. */
  timeZone: string | null;
  /** In which order they want to see lists; null for newest first everywhere. */
  listOrders: ListOrders | null;
  /** In which lists they have opened the completed alerts; null for none. */
  openGroups: string[] | null;
}

/** Most of what is remembered of a member's lists as JSON, in characters: some forty lists. */
export const MAX_LIST_MEMORY = 2_000;

const asJson = {
  from: (text: string | null): unknown => (text === null ? null : (JSON.parse(text) as unknown)),
  to: (value: unknown): string | null => (value === null ? null : JSON.stringify(value)),
};

export const UserEntity = new EntitySchema<User>({
  name: 'User',
  tableName: 'users',
  columns: {
    id: primary(idColumn('id')),
    email: textColumn('email', 254),
    emailKey: textColumn('email_key', 254),
    displayName: textColumn('display_name', 100),
    role: textColumn('role', 16),
    isActive: { type: 'boolean', name: 'is_active' },
    isService: { type: 'boolean', name: 'is_service', default: false },
    passwordHash: textColumn('password_hash', 100),
    passwordChangedAt: nullable(timeColumn('password_changed_at')),
    createdAt: timeColumn('created_at'),
    timeFormat: nullable(textColumn('time_format', 8)),
    timeZone: nullable(textColumn('time_zone', 64)),
    listOrders: { ...nullable(textColumn('list_orders', MAX_LIST_MEMORY)), transformer: asJson },
    openGroups: { ...nullable(textColumn('open_groups', MAX_LIST_MEMORY)), transformer: asJson },
  },
});

/** A signed-in member as they see themselves. */
export function presentSession(user: User | Session): Session {
  const { id, email, displayName, role, timeFormat, timeZone, listOrders, openGroups } = user;
  return {
    id,
    email,
    displayName,
    role,
    ...(timeFormat && { timeFormat }),
    ...(timeZone && { timeZone }),
    ...(listOrders && { listOrders }),
    ...(openGroups && { openGroups }),
    ...('mustSetUpSecondStep' in user && user.mustSetUpSecondStep && { mustSetUpSecondStep: true }),
  };
}

/** A member as administrators see them. @param known what is not in their row */
export function presentUser(user: User, known: Pick<PublicUser, 'hasSecondStep' | 'isBreakGlass'>): PublicUser {
  const { id, email, displayName, role, isActive, createdAt } = user;
  return { id, email, displayName, role, isActive, ...known, createdAt: new Date(createdAt).toISOString() };
}

/**
 * Whether this account signs in here by itself, by password or passkey. Where that is switched off, one administrator alone
 * does, so that somebody gets in while providers are away.
 */
export const mayUsePassword = (
  { passwordOnlyFor }: Pick<IdentityConfig, 'passwordOnlyFor'>,
  user: Pick<User, 'emailKey'>,
): boolean => passwordOnlyFor === undefined || passwordOnlyFor === user.emailKey;

/** How e-mails are compared: without regard to case. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** The member with this e-mail, whatever its case. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<User | null> =>
  manager.getRepository(UserEntity).findOneBy({ emailKey: emailKey(email) });

/** The member with this id. */
export const findUser = (manager: EntityManager, id: string): Promise<User | null> =>
  manager.getRepository(UserEntity).findOneBy({ id });

/** What the members with these ids are called. */
export async function findDisplayNames(manager: EntityManager, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const users = await manager
    .getRepository(UserEntity)
    .find({ select: { id: true, displayName: true }, where: { id: In([...new Set(ids)]) } });
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}

/** The member with this id, whom nobody else may change until the transaction ends: what is theirs changes one by one. */
export async function lockUser(tx: Transaction, id: string): Promise<User | null> {
  const [user] = await tx.holdRows(UserEntity, { id });
  return user ?? null;
}

/** Ids of the administrators who can sign in, whom nobody else may change until the transaction ends. */
export async function lockActiveAdmins(tx: Transaction): Promise<string[]> {
  const admins = await tx.holdRows(UserEntity, { role: 'admin', isActive: true, isService: false });
  return admins.map(({ id }) => id);
}
