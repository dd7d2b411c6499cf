import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DesktopBridge } from '#electron/contract.ts';
import { totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';
import { useConnection } from '#renderer/lib/connection.ts';
import { lazyPart } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { useNotificationActions } from './use-notification-actions.ts';
import { useUpdateToasts } from './use-update-toasts.ts';

const DesktopAboutDialog = lazyPart(async () => (await import('./desktop-about-dialog.tsx')).DesktopAboutDialog);

interface DesktopSideProps {
  desktop: DesktopBridge;
  onToggleSidebar: () => void;
}

/** What the signed-in web app does for the desktop app around it, and what it hears from there. Fetched only there. */
export function DesktopSide({ desktop, onToggleSidebar }: DesktopSideProps) {
  useTellAttention(desktop);
  useNotificationActions(desktop);
  useUpdateToasts(desktop);
  const navigate = useNavigate();
  const { shown, open } = useDialog();
  useEffect(() => desktop.on('goTo', ({ path }) => void navigate(path)), [desktop, navigate]);
  useEffect(() => desktop.on('toggleSidebar', onToggleSidebar), [desktop, onToggleSidebar]);
  useEffect(() => desktop.on('showAbout', () => open(true)), [desktop, open]);
  return (
    shown && (
      <Suspense>
        <DesktopAboutDialog key={shown.key} desktop={desktop} presence={shown.presence} />
      </Suspense>
    )
  );
}

/** Tells the main process what asks for attention: for the badge, the tray and the flashing (issue of the desktop app, part 4). */
function useTellAttention(desktop: DesktopBridge): void {
  const { data: inboxCount = 0, isFetching } = useInfiniteQuery({ ...inboxQuery, select: totalOf });
  const connection = useConnection();
  const isCurrent = connection === 'connected' && !isFetching;
  useEffect(
    () => void desktop.tellAttention({ inboxCount, connection, isCurrent }),
    [desktop, inboxCount, connection, isCurrent],
  );
  useEffect(
    () => () => void desktop.tellAttention({ inboxCount: 0, connection: 'signed-out', isCurrent: false }),
    [desktop],
  );
}
