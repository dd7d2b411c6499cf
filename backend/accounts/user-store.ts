import { type EntityManager, In } from 'typeorm';
import type { Dialect } from '#backend/database/dialect.ts';
import { type User, UserEntity } from './user-entity.ts';

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
  const users = await manager
    .getRepository(UserEntity)
    .find({ select: { id: true, displayName: true }, where: { id: In([...new Set(ids)]) } });
  return new Map(users.map(({ id, displayName }) => [id, displayName]));
}

/** The member with this id, whom nobody else may change until the transaction ends. */
export async function lockUser(tx: EntityManager, dialect: Dialect, id: string): Promise<User | null> {
  await tx.query(`SELECT id FROM users WHERE id = ?${dialect.forUpdate}`, [id]);
  return findUser(tx, id);
}

/** Ids of the administrators who may sign in, whom nobody else may change until the transaction ends. */
export async function lockActiveAdmins(tx: EntityManager, dialect: Dialect): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM users WHERE role = ? AND is_active = ? ORDER BY id${dialect.forUpdate}`,
    ['admin', 1],
  );
  return rows.map(({ id }) => id);
}
