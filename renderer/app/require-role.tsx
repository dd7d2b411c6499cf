import { Navigate, Outlet } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';
import { useSession } from '#renderer/lib/session.ts';
import { PATHS } from './paths.ts';

/** Shows the screens below it to these roles; everybody else is sent to the inbox. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const { role } = useSession();
  return roles.includes(role) ? <Outlet /> : <Navigate to={PATHS.inbox} replace />;
}
