import { useQuery } from '@tanstack/react-query';
import { Suspense, useDeferredValue } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import type { Role } from '#backend/contract/session.ts';
import { SessionContext, sessionQuery, useSession, useSignedOutByHand } from '#renderer/session/session.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useIsAfterFirstScreen } from '#renderer/lib/first-screen.ts';
import { MainLayout } from './layout/main-layout.tsx';
import { Dialogs } from '#renderer/ui/dialogs.tsx';
import { LoadingScreen, Standalone, UnreachablePage } from './message-pages.tsx';
import { PATHS, isGuardedPath } from '#renderer/lib/paths.ts';

// Few have to, and once.
const SetUpScreen = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "account" */ '#renderer/second-step/set-up-screen.tsx')).SetUpScreen,
  'throw',
);

// Nothing on a first screen asks for a proof.
const ProofGate = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "third" */ '#renderer/second-step/proof-gate.tsx')).ProofGate,
  'report',
);

/**
 * The sign-in guard: "Loading..." while the session is checked, the main layout with a session,
 * /login without one. An unknown path is not guarded and stands alone for who is not signed in; Logout always leads to
 * /login, and from there nobody wants to return.
 */
export function SessionGate() {
  const location = useLocation();
  const signedOutByHand = useSignedOutByHand();
  const isAfterFirstScreen = useIsAfterFirstScreen();
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  // Drawn in slices, so that a slow phone can answer in between: the answer itself would bring it in one long task.
  const isDrawn = useDeferredValue(Boolean(session), false);
  if (isPending || (session && !isDrawn)) return <LoadingScreen />;
  if (session)
    return (
      <SessionContext value={session}>
        {session.mustSetUpSecondStep ? (
          <Suspense fallback={<LoadingScreen />}>
            <SetUpScreen />
          </Suspense>
        ) : (
          <Dialogs key={session.id}>
            <MainLayout />
          </Dialogs>
        )}
        {isAfterFirstScreen && (
          <Suspense>
            <ProofGate key={`proof ${session.id}`} />
          </Suspense>
        )}
      </SessionContext>
    );
  if (error)
    return (
      <Standalone>
        <UnreachablePage error={error} onRetry={() => void refetch()} />
      </Standalone>
    );
  if (signedOutByHand) return <Navigate to={PATHS.login} replace />;
  if (!isGuardedPath(location.pathname))
    return (
      <Standalone>
        <Outlet />
      </Standalone>
    );
  return <Navigate to={PATHS.login} replace state={{ from: location }} />;
}

/** Shows the screens below it to these roles; everybody else is sent to the inbox. */
export function RequireRole({ roles }: { roles: readonly Role[] }) {
  const { role } = useSession();
  return roles.includes(role) ? <Outlet /> : <Navigate to={PATHS.inbox} replace />;
}
