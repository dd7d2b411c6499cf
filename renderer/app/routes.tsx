import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { InboxPage } from '#renderer/features/inbox/inbox-page.tsx';
import { LoginPage } from '#renderer/features/login/login-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { ADMIN_ROLES, PATHS } from './paths.ts';
import { RequireRole } from './require-role.tsx';
import { SessionGate } from './session-gate.tsx';

// What the inbox does not need comes after it: fetched while nothing else is, so that it is there when asked for.
const MyAlertsPage = lazy(async () => ({
  default: (await import(/* webpackPrefetch: true */ '#renderer/features/my-alerts/my-alerts-page.tsx')).MyAlertsPage,
}));

/** Every screen at its path (spec.md section 2). The administration's own screens hang below its guard. */
export function AppRoutes() {
  return (
    <Routes>
      <Route path={PATHS.login} element={<LoginPage />} />
      <Route element={<SessionGate />}>
        <Route path={PATHS.inbox} element={<InboxPage />} />
        <Route path={PATHS.myAlerts} element={<MyAlertsPage />} />
        <Route
          path={PATHS.admin}
          element={
            <RequireRole roles={ADMIN_ROLES}>
              <NotFoundPage />
            </RequireRole>
          }
        />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
