import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { desktop } from '#renderer/desktop/bridge.ts';
import { InboxPage } from '#renderer/features/inbox/inbox-page.tsx';
import { lazyScreen } from '#renderer/lib/lazy-part.ts';
import { LoadingScreen } from './loading-screen.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { ADMIN_ROLES, BELOW_ADMIN, MANAGER_ROLES, PATHS } from './paths.ts';
import { RequireRole } from './require-role.tsx';
import { SessionGate } from './session-gate.tsx';

// Who has a session never sees it.
const LoginPage = lazyScreen(async () => (await import('#renderer/features/login/login-page.tsx')).LoginPage);

// What the inbox does not need comes after it (`fetch-ahead.ts`), so that it is there when asked for.
const MyAlertsPage = lazyScreen(
  async () => (await import('#renderer/features/my-alerts/my-alerts-page.tsx')).MyAlertsPage,
);
const FolderPage = lazyScreen(async () => (await import('#renderer/features/folders/folder-page.tsx')).FolderPage);
const SettingsPage = lazyScreen(
  async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage,
);

// In the desktop app alone.
const DesktopPanel = lazyScreen(async () => (await import('#renderer/desktop/desktop-panel.tsx')).DesktopPanel);

// What administrators use now and then is one file, fetched when it is first asked for.
const AdminPage = lazyScreen(
  async () => (await import(/* webpackChunkName: "admin" */ '#renderer/features/admin/admin-page.tsx')).AdminPage,
);
const AllAlertsPage = lazyScreen(
  async () =>
    (await import(/* webpackChunkName: "admin" */ '#renderer/features/all-alerts/all-alerts-page.tsx')).AllAlertsPage,
);
const UsersPage = lazyScreen(
  async () => (await import(/* webpackChunkName: "admin" */ '#renderer/features/users/users-page.tsx')).UsersPage,
);
const ApiKeysPage = lazyScreen(
  async () =>
    (await import(/* webpackChunkName: "admin" */ '#renderer/features/api-keys/api-keys-page.tsx')).ApiKeysPage,
);
const WebhookEndpointPage = lazyScreen(
  async () =>
    (await import(/* webpackChunkName: "admin" */ '#renderer/features/webhook-endpoint/webhook-endpoint-page.tsx'))
      .WebhookEndpointPage,
);

/** Every screen at its path. The admin screens are below its guards. */
export function AppRoutes() {
  return (
    <Routes>
      <Route
        path={PATHS.login}
        element={
          <Suspense fallback={<LoadingScreen />}>
            <LoginPage />
          </Suspense>
        }
      />
      <Route element={<SessionGate />}>
        <Route path={PATHS.inbox} element={<InboxPage />} />
        <Route path={PATHS.myAlerts} element={<MyAlertsPage />} />
        <Route path={PATHS.folder} element={<FolderPage />} />
        <Route
          path={PATHS.settings}
          element={<SettingsPage desktop={desktop && <DesktopPanel desktop={desktop} />} />}
        />
        <Route element={<RequireRole roles={ADMIN_ROLES} />}>
          <Route path={PATHS.admin} element={<AdminPage />} />
          <Route path={PATHS.allAlerts} element={<AllAlertsPage />} />
          <Route element={<RequireRole roles={MANAGER_ROLES} />}>
            <Route path={PATHS.users} element={<UsersPage />} />
            <Route path={PATHS.webhookEndpoint} element={<WebhookEndpointPage />} />
            <Route path={PATHS.apiKeys} element={<ApiKeysPage />} />
          </Route>
          <Route path={BELOW_ADMIN} element={<NotFoundPage />} />
        </Route>
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
