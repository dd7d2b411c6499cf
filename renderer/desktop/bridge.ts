import type { DesktopBridge } from '#electron/contract.ts';

declare global {
  interface Window {
    /** Put there by the desktop app's preload script; browsers have none. */
    readonly alertdesk?: DesktopBridge;
  }
}

/** The desktop app around this page; undefined in a browser. */
export const desktop: DesktopBridge | undefined = window.alertdesk;
