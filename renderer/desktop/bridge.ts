import type { DesktopBridge } from '#electron/contract.ts';
import type { LoadChannel } from '#renderer/notifications/use-announcements.ts';

declare global {
  interface Window {
    /** Put there by the desktop app's preload script; browsers have none. */
    readonly alertdesk?: DesktopBridge;
  }
}

/** The desktop app around this page; undefined in a browser. */
export const desktop: DesktopBridge | undefined = window.alertdesk;

const loadFrom =
  (bridge: DesktopBridge): LoadChannel =>
  async (store, client) =>
    (await import('./desktop-channel.ts')).desktopChannel({ desktop: bridge, store, client });

/** Loads the channel to the system's notifications in the desktop app; undefined in a browser, which has its own. */
export const loadDesktopChannel: LoadChannel | undefined = desktop && loadFrom(desktop);
