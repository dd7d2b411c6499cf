import { useSyncExternalStore } from 'react';

/** What the browser lets the app do, or that it knows no notifications: old ones, and pages that came over plain http. */
export type NotificationState = NotificationPermission | 'unsupported';

/** The browser's permission as it is now. */
export const notificationState = (): NotificationState =>
  'Notification' in window ? Notification.permission : 'unsupported';

const listeners = new Set<() => void>();
const changed = (): void => {
  for (const listener of listeners) listener();
};

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const ended = new AbortController();
  void listenToStatus(listener, ended.signal);
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    ended.abort();
    window.removeEventListener('focus', listener);
  };
}

/** Hears of changes in the browser's own settings. Browsers that do not tell are asked when the window comes back. */
async function listenToStatus(listener: () => void, signal: AbortSignal): Promise<void> {
  const status = await navigator.permissions?.query({ name: 'notifications' }).catch(() => undefined);
  if (!signal.aborted) status?.addEventListener('change', listener, { signal });
}

/** The browser's permission, kept current. */
export const useNotificationState = (): NotificationState => useSyncExternalStore(subscribe, notificationState);

/** Asks the person for permission, as far as the browser lets ask, and gives what is permitted then. */
export async function requestPermission(): Promise<NotificationState> {
  if (notificationState() === 'default') await Notification.requestPermission();
  changed();
  return notificationState();
}
