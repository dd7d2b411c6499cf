import { useInfiniteQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Alert, alertDetailsSchema } from '#backend/contract/alert.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { NotificationAction, UpdateState } from '#electron/contract/desktop.ts';
import { totalOf } from '#renderer/alerts/data/list-pages.ts';
import { inboxQuery } from '#renderer/alerts/data/alert-queries.ts';
import { changeAlert, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import { acceptChange } from '#renderer/alerts/actions/changes.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { useThemeChoice } from '#renderer/lib/appearance.ts';
import { catchingUpAtom, useConnection } from '#renderer/lib/connection.ts';
import { useMuteCustomer } from '#renderer/mutes/change-mutes.ts';
import { findCustomer } from '#renderer/mutes/names.ts';
import type { Toast } from '#renderer/toasts/toast-queue.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import * as texts from './texts.tsx';

interface DesktopSideProps {
  desktop: DesktopBridge;
  onToggleSidebar: () => void;
}

/** What the signed-in web app reports to the desktop app around it, and receives from it. Loaded only there. */
export function DesktopSide({ desktop, onToggleSidebar }: DesktopSideProps) {
  useReportAttention(desktop);
  useNotificationActions(desktop);
  useUpdateToasts(desktop);
  const navigate = useNavigate();
  const [theme] = useThemeChoice();
  useEffect(() => void desktop.reportTheme(theme), [desktop, theme]);
  useEffect(() => desktop.on('goTo', ({ path }) => void navigate(path)), [desktop, navigate]);
  useEffect(() => desktop.on('toggleSidebar', onToggleSidebar), [desktop, onToggleSidebar]);
  return null;
}

/** Reports to the main process what needs attention: for the badge, the tray and the flashing. */
function useReportAttention(desktop: DesktopBridge): void {
  const { data, isPending, isFetching } = useInfiniteQuery({ ...inboxQuery, select: totalOf });
  const inboxCount = data ?? 0;
  const state = useConnection();
  // The desktop app knows no doubt: what it shows stays until the connection is lost.
  const connection = state === 'checking' ? 'connecting' : state;
  const isCatchingUp = useAtomValue(catchingUpAtom);
  const isCurrent = connection === 'connected' && !isFetching && !isCatchingUp;
  // Before the first answer there is no count: after a reload, the one before stays.
  const isKnown = !isPending || connection === 'disconnected';
  useEffect(() => {
    if (isKnown) void desktop.reportAttention({ inboxCount, connection, isCurrent });
  }, [desktop, isKnown, inboxCount, connection, isCurrent]);
  useEffect(
    () => () => void desktop.reportAttention({ inboxCount: 0, connection: 'signed-out', isCurrent: false }),
    [desktop],
  );
}

/** Does what the buttons of native notifications say: Accept, Mute customer. */
export function useNotificationActions(desktop: DesktopBridge): void {
  const deps = useChangeDeps();
  const { mutateAsync: mute } = useMuteCustomer();
  const toasts = useToasts();

  useEffect(() => {
    const muteCustomerOf = async ({ customer }: Alert): Promise<void> => {
      // Customers are known by their names only here; a new one came with this very alert.
      const found = customer === null ? undefined : await findCustomer(customer);
      if (!found) return;
      await mute({ customerId: found.id, name: found.name, muted: true });
      toasts.show({
        intent: 'done',
        title: texts.customerMuted,
        description: texts.noMoreNotificationsFrom(found.name),
      });
    };
    const act = async ({ button, tag }: NotificationAction): Promise<void> => {
      const alert = await readAlertOf(tag);
      if (alert && button === 'mute-customer') await muteCustomerOf(alert);
      else if (alert && isEverybodys(alert)) await changeAlert(deps, alert, acceptChange(deps.me));
      else toasts.show({ variant: 'destructive', title: texts.thisAlertIsNoLonger });
    };
    const failed = (error: unknown) =>
      toasts.show({ variant: 'destructive', title: texts.couldNotDoThat, description: String(error) });
    return desktop.on('notificationAction', (action) => void act(action).catch(failed));
  }, [desktop, deps, mute, toasts]);
}

const TAG = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/**
 * The alert of a notification, which is known by the alert's id without its dashes (`tagOfAlert`): asked of the server, because
 * a notification may be older than what is loaded. Undefined when it is gone, or somebody else's by now. Throws an ApiError.
 */
async function readAlertOf(tag: string): Promise<Alert | undefined> {
  try {
    return await apiGet(`/api/alerts/${encodeURIComponent(tag.replace(TAG, '$1-$2-$3-$4-$5'))}`, alertDetailsSchema);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Reports update news in toasts, on whichever screen somebody is. */
export function useUpdateToasts(desktop: DesktopBridge): void {
  const toasts = useToasts();
  useEffect(() => {
    let last: UpdateState['status'] | undefined;
    let isOver = false;
    const report = (state: UpdateState) => {
      const toast = state.status === last ? undefined : updateToast(state, desktop);
      last = state.status;
      if (toast) toasts.show(toast);
    };
    const stop = desktop.on('updateState', report);
    // The app looks for updates as it starts, before there is a page. An error of that time is over.
    const catchUp = async () => {
      const state = await desktop.getUpdateState();
      if (!isOver && last === undefined && state.status !== 'error') report(state);
    };
    void catchUp();
    return () => {
      isOver = true;
      stop();
    };
  }, [desktop, toasts]);
}

/** The toast of a new status; most have none. */
export function updateToast(
  { status, version, error }: UpdateState,
  desktop: Pick<DesktopBridge, 'downloadUpdate' | 'restartAndInstall'>,
): Toast | undefined {
  if (status === 'available') {
    return {
      intent: 'done',
      title: texts.updateAvailable,
      description: texts.versionCanBeDownloaded(version ?? ''),
      action: { label: texts.download, onSelect: () => void desktop.downloadUpdate() },
    };
  }
  if (status === 'downloaded') {
    return {
      intent: 'done',
      title: texts.updateDownloaded,
      description: texts.versionIsInstalledWhenApp(version ?? ''),
      action: { label: texts.restart, onSelect: () => void desktop.restartAndInstall() },
    };
  }
  if (status !== 'error') return undefined;
  return { variant: 'destructive', title: texts.updateError, description: error ?? texts.failedToCheckForUpdates };
}
