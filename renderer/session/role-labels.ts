import type { Role } from '#backend/contract/session.ts';

/** Label of each role. */
export const ROLE_LABELS: Record<Role, string> = { user: 'User', admin: 'Admin', super_user: 'Super User' };
