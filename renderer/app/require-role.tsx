import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';
import { useSession } from '#renderer/lib/session.ts';
import { PATHS } from './paths.ts';

/** Shows its children to these roles; everybody else is sent to the inbox (spec.md section 6). */
export function RequireRole({ roles, children }: { roles: readonly Role[]; children: ReactNode }) {
  const { role } = useSession();
  return roles.includes(role) ? children : <Navigate to={PATHS.inbox} replace />;
}
