import { type EntityManager, In } from 'typeorm';
import { lockRows } from '#backend/database/lock-rows.ts';
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
export async function lockUser(tx: EntityManager, id: string): Promise<User | null> {
  const [user] = await lockRows(tx, UserEntity, { id });
  return user ?? null;
}

/** Ids of the administrators who may sign in, whom nobody else may change until the transaction ends. */
export async function lockActiveAdmins(tx: EntityManager): Promise<string[]> {
  const admins = await lockRows(tx, UserEntity, { role: 'admin', isActive: true });
  return admins.map(({ id }) => id);
}
