import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { type Alert, alertDetailsSchema } from '#backend/contract/alert.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { alertIdOfTag } from '#backend/contract/announcement.ts';
import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { DesktopBridge } from '#electron/contract.ts';
import type { NotificationAction, UpdateState } from '#electron/contract/desktop.ts';
import { totalOf } from '#renderer/alerts/data/list-pages.ts';
import { inboxQuery } from '#renderer/alerts/data/alert-queries.ts';
import { changeAlert, useChangeDeps } from '#renderer/alerts/actions/change-alert.ts';
import { acceptChange } from '#renderer/alerts/actions/changes.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { useThemeChoice } from '#renderer/lib/appearance.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useConnection } from '#renderer/lib/connection.ts';
import { useMuteCustomer } from '#renderer/mutes/change-mutes.ts';
import { findCustomer } from '#renderer/mutes/names.ts';
import type { Toast } from '#renderer/toasts/toast-queue.ts';
import { type Toasts, useToasts } from '#renderer/toasts/toast.ts';
import { isWindowInFront } from '#renderer/toasts/use-toast-card.ts';
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

/** Reports to the main process what needs attention: for the badge and the tray. */
export function useReportAttention(desktop: DesktopBridge): void {
  const { data, isPending } = useInfiniteQuery({ ...inboxQuery, select: totalOf });
  const inboxCount = data ?? 0;
  const state = useConnection();
  // The desktop app knows no doubt: what it shows stays until the connection is lost.
  const connection = state === 'checking' ? 'connecting' : state;
  // Before the first answer there is no count: after a reload, the one before stays.
  const isKnown = !isPending || connection === 'disconnected';
  useEffect(() => {
    if (isKnown) void desktop.reportAttention({ inboxCount, connection });
  }, [desktop, isKnown, inboxCount, connection]);
  useEffect(() => () => void desktop.reportAttention({ inboxCount: 0, connection: 'signed-out' }), [desktop]);
}

/** Does what the buttons of native notifications say: Accept, Mute customer. Says what failed where they were pressed. */
export function useNotificationActions(desktop: DesktopBridge): void {
  const deps = useChangeDeps();
  const { mutateAsync: mute } = useMuteCustomer();
  const toasts = useToasts();

  useEffect(() => {
    const muteCustomerOf = async ({ customer }: Alert): Promise<void> => {
      // Customers are known by their names only here; a new one came with this very alert.
      const found = customer === null ? undefined : await findCustomer(customer);
      if (!found) throw new Error(texts.customerIsUnknown);
      await mute({ customerId: found.id, name: found.name, muted: true });
      toasts.show({
        intent: 'done',
        title: texts.customerMuted,
        description: texts.noMoreNotificationsFrom(found.name),
      });
    };
    const act = async ({ button, tag }: NotificationAction, failures: Toasts): Promise<void> => {
      const alert = await readAlertOf(tag);
      if (alert && button === 'mute-customer') await muteCustomerOf(alert);
      else if (alert && isEverybodys(alert))
        await changeAlert({ ...deps, toasts: failures }, alert, acceptChange(deps.me));
      else failures.show({ variant: 'destructive', title: texts.thisAlertIsNoLonger });
    };
    const run = async (action: NotificationAction): Promise<void> => {
      const failures: Toasts = { ...toasts, show: (toast) => void showFailure(desktop, toasts, action.tag, toast) };
      try {
        await act(action, failures);
      } catch (error) {
        failures.show({ variant: 'destructive', title: texts.couldNotDoThat, description: messageOf(error) });
      }
    };
    return desktop.on('notificationAction', (action) => void run(action));
  }, [desktop, deps, mute, toasts]);
}

/** Says why a button did nothing: natively while nobody looks at the window, in the place of the notification that it was on. */
async function showFailure(desktop: DesktopBridge, toasts: Toasts, tag: string, toast: Toast): Promise<void> {
  const { title, description = '' } = toast;
  const notification = {
    tag,
    title,
    body: description,
    path: pathOfAlert(alertIdOfTag(tag)),
    silent: false,
    buttons: [],
    isCritical: false,
    isAnswer: true,
  };
  const isShown = !isWindowInFront() && (await desktop.showNotification(notification).catch(() => false));
  if (!isShown) toasts.show(toast);
}

/**
 * The alert of a notification, which is known by the alert's id without its dashes (`tagOfAlert`): asked of the server, because
 * a notification may be older than what is loaded. Undefined when it is gone, or somebody else's by now. Throws an ApiError.
 */
async function readAlertOf(tag: string): Promise<Alert | undefined> {
  try {
    return await apiGet(`/api/alerts/${encodeURIComponent(alertIdOfTag(tag))}`, alertDetailsSchema);
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
      description: texts.chooseRestartToInstall(version ?? ''),
      action: { label: texts.restart, onSelect: () => void desktop.restartAndInstall() },
    };
  }
  if (status !== 'error') return undefined;
  return { variant: 'destructive', title: texts.updateError, description: error ?? texts.failedToCheckForUpdates };
}
