import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useSyncExternalStore } from 'react';
import type { Toast } from '#renderer/toasts/toast-queue.ts';
import * as texts from './texts.ts';

/** The browser's permission, or `unsupported`: old browsers, and pages on plain http, have no notifications. */
export type NotificationState = NotificationPermission | 'unsupported';

/** The browser's permission as it is now. */
export const notificationState = (): NotificationState =>
  'Notification' in window ? Notification.permission : 'unsupported';

/** The permission as components show it: to read it the page waits for the browser's process, too long for each render. */
let shown: NotificationState | undefined;
const listeners = new Set<() => void>();
let watching: AbortController | undefined;

function readAgain(): void {
  shown = notificationState();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (!watching) {
    watching = new AbortController();
    shown = notificationState();
    window.addEventListener('focus', readAgain, { signal: watching.signal });
    void listenToStatus(watching.signal);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    watching?.abort();
    watching = undefined;
  };
}

/** Listens to changes in the browser's own settings. Where browsers report none, the permission is read on focus. */
async function listenToStatus(signal: AbortSignal): Promise<void> {
  const status = await navigator.permissions?.query({ name: 'notifications' }).catch(() => undefined);
  if (!signal.aborted) status?.addEventListener('change', readAgain, { signal });
}

/** The browser's permission, kept current. */
export const useNotificationState = (): NotificationState =>
  useSyncExternalStore(subscribe, () => (shown ??= notificationState()));

/** Asks the person for permission where the browser allows to ask, and returns the permission afterwards. */
export async function requestPermission(): Promise<NotificationState> {
  if (notificationState() === 'default') await Notification.requestPermission();
  readAgain();
  return notificationState();
}

/** The browser's own flag: 'true' or 'false', on when absent. */
const KEY = 'notifications-enabled';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether notifications are switched on in this browser; shared by its tabs. */
export const notificationsEnabledAtom = atomWithStorage<boolean>(
  KEY,
  true,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** Whether notifications are switched on in this browser, and the switch. */
export const useNotificationsEnabled = (): [boolean, (enabled: boolean) => void] => useAtom(notificationsEnabledAtom);

/** The stored switch, `null` while nothing is stored. */
export const storedSwitch = (): string | null => localStorage.getItem(KEY);

/** This browser has no notifications, at least not on this page. */
export const UNSUPPORTED: Toast = {
  variant: 'destructive',
  title: texts.notSupported,
  description: texts.desktopNotificationsAreNotSupported,
};

/** The permission is denied, now or from before. */
export const PERMISSION_DENIED: Toast = {
  variant: 'destructive',
  title: texts.permissionDenied,
  description: texts.youveBlockedNotificationsPleaseEnable,
};

/** This browser was removed in Settings on another device, or the server has given it up. */
export const REMOVED: Toast = {
  title: texts.notificationsTurnedOff,
  description: texts.thisBrowserWasRemovedFrom,
};
