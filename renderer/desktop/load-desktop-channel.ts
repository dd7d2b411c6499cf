import type { DesktopBridge } from '#electron/contract.ts';
import type { LoadChannel } from '#renderer/notifications/use-announcements.ts';
import { desktop } from './bridge.ts';

const loadFrom =
  (bridge: DesktopBridge): LoadChannel =>
  async (store, client) =>
    (await import('./desktop-channel.ts')).desktopChannel({ desktop: bridge, store, client });

/** Loads the channel to the system's notifications in the desktop app; undefined in a browser, which has its own. */
export const loadDesktopChannel: LoadChannel | undefined = desktop && loadFrom(desktop);
