import type { ReactNode } from 'react';
import { Route, Routes, useMatch } from 'react-router-dom';
import { AdminPage } from '#renderer/features/admin/admin-page.tsx';
import { AllAlertsPage } from '#renderer/features/all-alerts/all-alerts-page.tsx';
import { AuditPage } from '#renderer/features/audit/audit-page.tsx';
import { ApiKeysPage } from '#renderer/features/api-keys/api-keys-page.tsx';
import { MaintenanceScreens } from '#renderer/features/maintenance/maintenance-screens.tsx';
import { ServiceTokensPage } from '#renderer/features/service-tokens/service-tokens-page.tsx';
import { UsersPage } from '#renderer/features/users/users-page.tsx';
import { WebhookEndpointPage } from '#renderer/features/webhook-endpoint/webhook-endpoint-page.tsx';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { PATHS } from '#renderer/lib/paths.ts';

// Many pages that few open: files of their own.
const SourcesScreens = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "sources" */ '#renderer/features/sources/sources-screens.tsx')).SourcesScreens,
  'throw',
);
const OutgoingScreens = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "outgoing" */ '#renderer/features/outgoing/outgoing-screens.tsx'))
      .OutgoingScreens,
  'throw',
);
const IncomingRulesScreens = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "outgoing" */ '#renderer/features/outgoing/incoming-rules-screens.tsx'))
      .IncomingRulesScreens,
  'throw',
);
const HeartbeatsScreens = lazyWithRetry(
  async () =>
    (await import(/* webpackChunkName: "sources" */ '#renderer/features/sources/heartbeats/heartbeats-screens.tsx'))
      .HeartbeatsScreens,
  'throw',
);

/** A screen's path below that of the Admin Panel. */
const below = (path: string): string => path.slice(PATHS.admin.length + 1);

interface AdminScreensProps {
  /** Lets in those who manage the installation; absent below `/maintenance` and `/heartbeats`, which every member may see. */
  managers?: ReactNode;
  /** For any other address. */
  notFound: ReactNode;
}

/**
 * The screens below the Admin Panel, behind its guard, and those of maintenance windows and heartbeats. What the first screen has already is handed in:
 * imported here, too, it would stand in a module of its own there and make the first load larger.
 */
export function AdminScreens({ managers, notFound }: AdminScreensProps) {
  const isOfHeartbeats = useMatch(`${PATHS.heartbeats}/*`);
  if (isOfHeartbeats) return <HeartbeatsScreens />;
  if (!managers) return <MaintenanceScreens />;
  return (
    <Routes>
      <Route index element={<AdminPage />} />
      <Route path={below(PATHS.allAlerts)} element={<AllAlertsPage />} />
      <Route element={managers}>
        <Route path={below(PATHS.users)} element={<UsersPage />} />
        <Route path={below(PATHS.webhookEndpoint)} element={<WebhookEndpointPage />} />
        <Route path={below(PATHS.apiKeys)} element={<ApiKeysPage />} />
        <Route path={below(PATHS.serviceTokens)} element={<ServiceTokensPage />} />
        <Route path={below(PATHS.audit)} element={<AuditPage />} />
        <Route path={`${below(PATHS.sources)}/*`} element={<SourcesScreens />} />
        <Route path={`${below(PATHS.outgoing)}/*`} element={<OutgoingScreens />} />
        <Route path="rules/*" element={<IncomingRulesScreens />} />
      </Route>
      <Route path="*" element={notFound} />
    </Routes>
  );
}
