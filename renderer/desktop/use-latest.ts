import { useEffect, useState } from 'react';
import type { DesktopBridge, EventPayload } from '#electron/contract.ts';

/** What the main process reports, and how to ask for the first value. */
const GETTERS = {
  serverState: (desktop: DesktopBridge) => desktop.getServerState(),
  updateState: (desktop: DesktopBridge) => desktop.getUpdateState(),
  notificationState: (desktop: DesktopBridge) => desktop.getNotificationState(),
  preferences: (desktop: DesktopBridge) => desktop.getPreferences(),
};

/** The latest value that the main process has reported; undefined until the first one. */
export function useLatest<E extends keyof typeof GETTERS>(
  desktop: DesktopBridge,
  event: E,
): EventPayload<E> | undefined {
  const [latest, setLatest] = useState<EventPayload<E>>();
  useEffect(() => {
    const stop = desktop.on(event, (payload) => setLatest(() => payload));
    const first = GETTERS[event](desktop) as Promise<EventPayload<E>>;
    // An event that comes meanwhile is newer.
    void first.then((answer) => setLatest((reported) => reported ?? answer));
    return stop;
  }, [desktop, event]);
  return latest;
}
