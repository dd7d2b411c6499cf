import type { ReactNode } from 'react';
import { Route, Routes } from 'react-router-dom';
import { AdminPage } from '#renderer/features/admin/admin-page.tsx';
import { AllAlertsPage } from '#renderer/features/all-alerts/all-alerts-page.tsx';
import { AuditPage } from '#renderer/features/audit/audit-page.tsx';
import { ApiKeysPage } from '#renderer/features/api-keys/api-keys-page.tsx';
import { ServiceTokensPage } from '#renderer/features/service-tokens/service-tokens-page.tsx';
import { UsersPage } from '#renderer/features/users/users-page.tsx';
import { WebhookEndpointPage } from '#renderer/features/webhook-endpoint/webhook-endpoint-page.tsx';
import { PATHS } from '#renderer/lib/paths.ts';

/** A screen's path below that of the Admin Panel. */
const below = (path: string): string => path.slice(PATHS.admin.length + 1);

interface AdminScreensProps {
  /** Lets in those who manage the installation. */
  managers: ReactNode;
  /** For any other address. */
  notFound: ReactNode;
}

/**
 * The screens below the Admin Panel that are one file, behind its guard. What the first screen has already is handed in:
 * imported here, too, it would stand in a module of its own there and make the first load larger.
 */
export function AdminScreens({ managers, notFound }: AdminScreensProps) {
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
      </Route>
      <Route path="*" element={notFound} />
    </Routes>
  );
}
