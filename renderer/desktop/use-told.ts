import { useEffect, useState } from 'react';
import type { DesktopBridge, EventPayload } from '#electron/contract.ts';

/** What the main process tells of, and how it is asked for the first time. */
const GETTERS = {
  serverState: (desktop: DesktopBridge) => desktop.getServerState(),
  updateState: (desktop: DesktopBridge) => desktop.getUpdateState(),
  notificationState: (desktop: DesktopBridge) => desktop.getNotificationState(),
  preferences: (desktop: DesktopBridge) => desktop.getPreferences(),
};

/** The last that the main process told of something; undefined until it has. */
export function useTold<E extends keyof typeof GETTERS>(desktop: DesktopBridge, event: E): EventPayload<E> | undefined {
  const [told, setTold] = useState<EventPayload<E>>();
  useEffect(() => {
    const stop = desktop.on(event, (payload) => setTold(() => payload));
    const first = GETTERS[event](desktop) as Promise<EventPayload<E>>;
    // An event that comes meanwhile is newer.
    void first.then((answer) => setTold((heard) => heard ?? answer));
    return stop;
  }, [desktop, event]);
  return told;
}
