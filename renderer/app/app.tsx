import { OverlaysProvider } from '@blueprintjs/core';
import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSetAtom, useStore } from 'jotai';
import { type ReactNode, Suspense, startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Router, useNavigate } from 'react-router-dom';
import { isScreenLeft } from '#renderer/alerts/panel/open-alert.tsx';
import { alertStoreOf } from '#renderer/alerts/data/list-cache.ts';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import { desktop } from '#renderer/desktop/bridge.ts';
import { useApplyTheme } from '#renderer/lib/appearance.ts';
import { connectionAtom } from '#renderer/lib/connection.ts';
import type { GuardedHistory } from '#renderer/lib/guarded-history.ts';
import { watchFirstScreen } from '#renderer/lib/first-screen.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { forgetScreensAtom } from '#renderer/lib/screen-memory.ts';
import { answerWorker, listenToWorker } from '#renderer/push/service-worker.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { toastOwnerAtom, useToasts } from '#renderer/toasts/toast.ts';
import { Toaster } from '#renderer/toasts/toaster.tsx';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { LocalAddressAdvice } from '#renderer/ui/local-address-advice.ts';
import { LeaveGuards } from '#renderer/ui/leave-guard.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { createQueryClient } from './query-client.ts';
import { AppRoutes } from './routes.tsx';
import * as texts from './texts.ts';

// In the desktop app alone, and there on every page.
const DesktopFrame = lazyWithRetry(
  async () => (await import('#renderer/desktop/desktop-frame.tsx')).DesktopFrame,
  'omit',
);

// Where set-ups show an address of this computer: the app shares its server by a switch of its own.
const AddressAdvice = lazyWithRetry(
  async () => (await import('#renderer/desktop/desktop-address-advice.tsx')).DesktopAddressAdvice,
  'omit',
);

/** What the desktop app advises; undefined in a browser. */
const ADVICE = desktop && (
  <Suspense>
    <AddressAdvice desktop={desktop} />
  </Suspense>
);

/** The whole web app, at the address of its history. */
export function App({ history }: { history: GuardedHistory }) {
  useApplyTheme();
  return (
    <ErrorBoundary standalone>
      <Providers>
        <ForgetOnSignOut />
        <Followed history={history}>
          <GoWhereNotificationsLead />
          <SayWhetherLive />
          <LeaveGuards history={history} isLeft={isScreenLeft}>
            <LocalAddressAdvice value={ADVICE}>
              <AppRoutes />
            </LocalAddressAdvice>
          </LeaveGuards>
          <Toaster />
          {desktop && (
            <Suspense>
              <DesktopFrame desktop={desktop} />
            </Suspense>
          )}
        </Followed>
      </Providers>
    </ErrorBoundary>
  );
}

/** Shows the address of a history: in a transition as a rule, so that the page answers meanwhile. */
function Followed({ history, children }: { history: GuardedHistory; children: ReactNode }) {
  const [{ location, action }, setState] = useState<Pick<GuardedHistory, 'location' | 'action'>>(history);
  useLayoutEffect(
    () =>
      history.listen((update) => {
        if (history.isNow()) flushSync(() => setState(update));
        else startTransition(() => setState(update));
      }),
    [history],
  );
  return (
    <Router navigator={history} location={location} navigationType={action}>
      {children}
    </Router>
  );
}

/** What every screen stands on: the query cache, Blueprint's overlay stack. */
function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  useEffect(() => void watchFirstScreen(client), [client]);
  return (
    <QueryClientProvider client={client}>
      <OverlaysProvider>{children}</OverlaysProvider>
    </QueryClientProvider>
  );
}

/**
 * Clears cached data once nobody is signed in any more, however the session ended. By
 * then the screens that read it are gone; what the sign-in page reads is in use and stays.
 */
function ForgetOnSignOut() {
  const client = useQueryClient();
  const forgetScreens = useSetAtom(forgetScreensAtom);
  const forgetAlertToShow = useSetAtom(alertToShowAtom);
  const setToastOwner = useSetAtom(toastOwnerAtom);
  const undo = useUndoStack();
  const toasts = useToasts();
  const { data: signedOut } = useQuery({ ...sessionQuery, select: (session) => session === null });
  useEffect(() => {
    if (!signedOut) return;
    const unsent = undo.drop();
    client.removeQueries({ type: 'inactive' });
    client.getMutationCache().clear();
    alertStoreOf(client).clear();
    forgetScreens();
    forgetAlertToShow(undefined);
    setToastOwner(null);
    if (unsent > 0) {
      const description = texts.youWereSignedOutBefore;
      toasts.show({ variant: 'destructive', title: texts.notSaved, description });
    }
  }, [client, signedOut, forgetScreens, forgetAlertToShow, setToastOwner, undo, toasts]);
  return null;
}

/** Goes where a clicked notification leads, in this page; who is signed out comes there after signing in. */
function GoWhereNotificationsLead() {
  const navigate = useNavigate();
  useEffect(() => listenToWorker((message) => void (message.type === 'open' && navigate(message.path))), [navigate]);
  return null;
}

/** What arrives over a live connection is announced here: the service worker leaves its pushes to this window then. */
function SayWhetherLive() {
  const store = useStore();
  useEffect(() => answerWorker(() => store.get(connectionAtom) === 'connected'), [store]);
  return null;
}
