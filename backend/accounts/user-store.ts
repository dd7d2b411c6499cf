import type { EntityManager } from 'typeorm';
import { type User, UserEntity } from './user-entity.ts';

/** How e-mails are compared: without regard to case. */
export const emailKey = (email: string): string => email.trim().toLowerCase();

/** The member with this e-mail, whatever its case. */
export const findUserByEmail = (manager: EntityManager, email: string): Promise<User | null> =>
  manager.getRepository(UserEntity).findOneBy({ emailKey: emailKey(email) });

/** The member with this id. */
export const findUser = (manager: EntityManager, id: string): Promise<User | null> =>
  manager.getRepository(UserEntity).findOneBy({ id });
