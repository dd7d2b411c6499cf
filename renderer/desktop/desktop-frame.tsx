import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import { setWindowShown } from '#renderer/lib/page-shown.ts';
import { sessionQuery, useSignedOutByHand } from '#renderer/session/session.ts';
import { DesktopAbout } from './desktop-about.tsx';
import { useLatest } from './use-latest.ts';

/** What every page of the web app has in the desktop app, signed in or not. */
export function DesktopFrame({ desktop }: { desktop: DesktopBridge }) {
  useReportSignedOut(desktop);
  useWindowShown(desktop);
  return <DesktopAbout desktop={desktop} />;
}

/**
 * Has the page count as hidden while its window is, so that secrets are masked and what nobody looks at is not fetched. An
 * older desktop app does not say: there the page counts as shown.
 */
export function useWindowShown(desktop: DesktopBridge): void {
  const isShown = useLatest(desktop, 'windowShown') ?? true;
  useEffect(() => setWindowShown(isShown), [isShown]);
}

/** Reports that nobody is signed in, and whether a session has ended by itself: no alerts come then, which the window alone shows. */
export function useReportSignedOut(desktop: DesktopBridge): void {
  const { data: isSignedOut } = useQuery({ ...sessionQuery, select: (session) => session === null });
  const isByHand = useSignedOutByHand();
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (isSignedOut === false) wasSignedIn.current = true;
    if (!isSignedOut) return;
    const hasEnded = wasSignedIn.current && !isByHand;
    wasSignedIn.current = false;
    void desktop.reportAttention({ inboxCount: 0, connection: 'signed-out', hasEnded });
  }, [desktop, isSignedOut, isByHand]);
}
