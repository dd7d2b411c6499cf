import type { DesktopBridge } from '#electron/contract.ts';
import type { LoadWay } from '#renderer/notifications/use-announcements.ts';
import { desktop } from './bridge.ts';

const loadFrom =
  (bridge: DesktopBridge): LoadWay =>
  async (store, client) =>
    (await import('./desktop-way.ts')).desktopWay({ desktop: bridge, store, client });

/** The way to the system's own notifications in the desktop app; in a browser undefined, and its own way is taken. */
export const loadDesktopWay: LoadWay | undefined = desktop && loadFrom(desktop);
