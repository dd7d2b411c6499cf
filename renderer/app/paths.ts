import { matchPath } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';

/** The screens' paths (spec.md section 2, "Route table"). */
export const PATHS = {
  inbox: '/',
  myAlerts: '/my-alerts',
  admin: '/admin/*',
  login: '/login',
} as const;

/** Who may open /admin; everybody else is sent to the inbox (spec.md section 6). */
export const ADMIN_ROLES: readonly Role[] = ['admin', 'super_user'];

const GUARDED = [PATHS.inbox, PATHS.myAlerts, PATHS.admin];

/** Whether a screen behind the sign-in guard lives at this path; any other path shows the 404 card to anybody. */
export function isGuardedPath(pathname: string): boolean {
  return GUARDED.some((path) => matchPath(path, pathname) !== null);
}
