import type { Session } from '#backend/contract/session.ts';
import type { User } from './user-entity.ts';

/** A signed-in member as told to themselves (spec.md section 3, Session). */
export function presentSession(user: Pick<User, 'id' | 'email' | 'displayName' | 'role'>): Session {
  return { id: user.id, email: user.email, displayName: user.displayName, role: user.role };
}
