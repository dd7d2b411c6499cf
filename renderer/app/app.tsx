import { Toaster } from '#renderer/notifications/toaster.tsx';
import { useApplyTheme } from '#renderer/lib/theme.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ForgetOnSignOut } from './forget-on-sign-out.tsx';
import { GoWhereNotificationsLead } from './go-where-notifications-lead.tsx';
import { Providers } from './providers.tsx';
import { AppRoutes } from './routes.tsx';

/** The whole web app: one composition of providers, screens and the toast region. */
export function App() {
  useApplyTheme();
  return (
    <ErrorBoundary standalone>
      <Providers>
        <ForgetOnSignOut />
        <GoWhereNotificationsLead />
        <AppRoutes />
        <Toaster />
      </Providers>
    </ErrorBoundary>
  );
}
