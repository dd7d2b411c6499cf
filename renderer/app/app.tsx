import { Suspense } from 'react';
import { desktop } from '#renderer/desktop/bridge.ts';
import { lazyExtra } from '#renderer/lib/lazy-part.ts';
import { Toaster } from '#renderer/notifications/toaster.tsx';
import { useApplyTheme } from '#renderer/lib/theme.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { ForgetOnSignOut } from './forget-on-sign-out.tsx';
import { GoWhereNotificationsLead } from './go-where-notifications-lead.tsx';
import { Providers } from './providers.tsx';
import { AppRoutes } from './routes.tsx';

// In the desktop app alone, and there on every page: its tray has About.
const DesktopAbout = lazyExtra(async () => (await import('#renderer/desktop/desktop-about.tsx')).DesktopAbout);

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
        {desktop && (
          <Suspense>
            <DesktopAbout desktop={desktop} />
          </Suspense>
        )}
      </Providers>
    </ErrorBoundary>
  );
}
