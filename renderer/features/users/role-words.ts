import type { Role } from '#backend/contract/session.ts';

/** What each role is called on screen (spec.md section 2, User Management). */
export const ROLE_WORDS: Record<Role, string> = { user: 'User', admin: 'Admin', super_user: 'Super User' };
