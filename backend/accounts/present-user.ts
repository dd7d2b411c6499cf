import type { Session } from '#backend/contract/session.ts';
import type { PublicUser } from '#backend/contract/user.ts';
import type { User } from './user-entity.ts';

/** A signed-in member as they see themselves. */
export function presentSession(user: Pick<User, 'id' | 'email' | 'displayName' | 'role'>): Session {
  return { id: user.id, email: user.email, displayName: user.displayName, role: user.role };
}

/** A member as administrators see them. */
export function presentUser(user: User): PublicUser {
  return {
    ...presentSession(user),
    isActive: user.isActive,
    createdAt: new Date(user.createdAt).toISOString(),
  };
}
