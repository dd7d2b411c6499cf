import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DesktopBridge } from '#electron/contract.ts';
import { totalOf } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';
import { useConnection } from '#renderer/lib/connection.ts';
import { useThemeChoice } from '#renderer/lib/theme.ts';
import { useNotificationActions } from './use-notification-actions.ts';
import { useUpdateToasts } from './use-update-toasts.ts';

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
  const [theme] = useThemeChoice();
  useEffect(() => void desktop.tellTheme(theme), [desktop, theme]);
  useEffect(() => desktop.on('goTo', ({ path }) => void navigate(path)), [desktop, navigate]);
  useEffect(() => desktop.on('toggleSidebar', onToggleSidebar), [desktop, onToggleSidebar]);
  return null;
}

/** Tells the main process what asks for attention: for the badge, the tray and the flashing. */
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
