import { useEffect, useState } from 'react';
import type { CallName, DesktopBridge, EventName, EventPayload } from '#electron/contract.ts';

/** What the main process reports, and the call that asks for the first value. */
const GETTERS = {
  serverState: 'getServerState',
  updateState: 'getUpdateState',
  notificationState: 'getNotificationState',
  preferences: 'getPreferences',
  windowShown: 'isWindowShown',
} as const satisfies Partial<Record<EventName, CallName>>;

/**
 * The latest value that the main process has reported; undefined until the first one, and in a desktop app that is older than
 * the web app and does not report it.
 */
export function useLatest<E extends keyof typeof GETTERS>(
  desktop: DesktopBridge,
  event: E,
): EventPayload<E> | undefined {
  const [latest, setLatest] = useState<EventPayload<E>>();
  useEffect(() => {
    const getter = GETTERS[event];
    // It refuses events that it does not know.
    if (!(getter in desktop)) return undefined;
    const stop = desktop.on(event, (payload) => setLatest(() => payload));
    const first = desktop[getter]() as Promise<EventPayload<E>>;
    // An event that comes meanwhile is newer.
    void first.then((answer) => setLatest((reported) => reported ?? answer));
    return stop;
  }, [desktop, event]);
  return latest;
}
