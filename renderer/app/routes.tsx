import { Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { OpenAlertContext, useScreen } from '#renderer/alerts/panel/open-alert.tsx';
import { desktop } from '#renderer/desktop/bridge.ts';
import { InboxPage } from '#renderer/features/inbox/inbox-page.tsx';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { LoadingScreen } from './message-pages.tsx';
import { ADMIN_ROLES, BELOW_ADMIN, MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { RequireRole, SessionGate } from './session-gate.tsx';

// Who has a session never sees it. Everybody else's browser is given the names of its files by index.html.
const NotFoundPage = lazyWithRetry(async () => (await import('./not-found-page.tsx')).NotFoundPage, 'throw');
const LoginPage = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "login" */ '#renderer/features/login/login-page.tsx')).LoginPage,
  'throw',
);

const LinkPage = lazyWithRetry(async () => (await import('#renderer/features/login/link-page.tsx')).LinkPage, 'throw');

// What the inbox does not need comes after it (`fetch-ahead.ts`), so that it is there when asked for.
const MyAlertsPage = lazyWithRetry(
  async () => (await import('#renderer/features/my-alerts/my-alerts-page.tsx')).MyAlertsPage,
  'throw',
);
const SnoozedPage = lazyWithRetry(
  async () => (await import('#renderer/features/snoozed/snoozed-page.tsx')).SnoozedPage,
  'throw',
);
// Charts are a file of their own, with the library that draws them.
const InsightPage = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "insight" */ '#renderer/features/insight/insight-page.tsx')).InsightPage,
  'throw',
);
const FolderPage = lazyWithRetry(
  async () => (await import('#renderer/features/folder/folder-page.tsx')).FolderPage,
  'throw',
);
const ViewPage = lazyWithRetry(async () => (await import('#renderer/features/view/view-page.tsx')).ViewPage, 'throw');
const AlertPage = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "alert" */ '#renderer/features/alert/alert-page.tsx')).AlertPage,
  'throw',
);
const SettingsPage = lazyWithRetry(
  async () => (await import('#renderer/features/settings/settings-page.tsx')).SettingsPage,
  'throw',
);
const AccountPage = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "account" */ '#renderer/features/account/account-page.tsx')).AccountPage,
  'throw',
);

// In the desktop app alone.
const DesktopPanel = lazyWithRetry(
  async () => (await import('#renderer/desktop/desktop-panel.tsx')).DesktopPanel,
  'throw',
);

// What administrators use now and then is one file, fetched when it is first asked for.
const AdminScreens = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "admin" */ './admin-screens.tsx')).AdminScreens,
  'throw',
);

// Needed while no alert ever arrived.
const FirstRun = lazyWithRetry(
  async () => (await import('#renderer/features/sources/first-run/first-run.tsx')).FirstRun,
  'report',
);

/** Every screen at its path. The admin screens are below its guards. */
export function AppRoutes() {
  const { location, openAlertId } = useScreen();
  const managers = <RequireRole roles={MANAGER_ROLES} />;
  const notFound = <NotFoundPage />;
  return (
    <OpenAlertContext value={openAlertId}>
      <Routes location={location}>
        <Route
          path="/login/*"
          element={
            <Suspense fallback={<LoadingScreen />}>
              <LoginPage />
            </Suspense>
          }
        />
        {[PATHS.join, PATHS.resetPassword].map((path) => (
          <Route
            key={path}
            path={path}
            element={
              <Suspense fallback={<LoadingScreen />}>
                <LinkPage />
              </Suspense>
            }
          />
        ))}
        <Route element={<SessionGate />}>
          <Route path={PATHS.inbox} element={<InboxPage FirstRun={FirstRun} />} />
          <Route path={PATHS.myAlerts} element={<MyAlertsPage />} />
          <Route path={PATHS.snoozed} element={<SnoozedPage />} />
          <Route path={PATHS.insight} element={<InsightPage />} />
          <Route path={PATHS.folder} element={<FolderPage />} />
          <Route path={PATHS.allFolders} element={<FolderPage />} />
          <Route path={PATHS.view} element={<ViewPage />} />
          <Route path={PATHS.alert} element={<AlertPage />} />
          <Route
            path={PATHS.settings}
            element={<SettingsPage desktop={desktop && <DesktopPanel desktop={desktop} />} />}
          />
          <Route path={PATHS.account} element={<AccountPage />} />
          {[PATHS.maintenance, PATHS.heartbeats].map((path) => (
            <Route key={path} path={`${path}/*`} element={<AdminScreens notFound={notFound} />} />
          ))}
          <Route element={<RequireRole roles={ADMIN_ROLES} />}>
            <Route path={BELOW_ADMIN} element={<AdminScreens managers={managers} notFound={notFound} />} />
          </Route>
          <Route path="*" element={notFound} />
        </Route>
      </Routes>
    </OpenAlertContext>
  );
}
