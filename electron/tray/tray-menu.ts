import type { MenuItemConstructorOptions } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Attention } from '#electron/contract/desktop.ts';
import type { ServerChoice, ServerState } from '#electron/contract/server-choice.ts';
import { PAUSES, type Pause } from '#electron/notifications/pause.ts';
import { canSwitch, serverName, serverSwitches } from '#electron/server/server-menu.ts';
import type { TrayLook } from './draw-tray-icon.ts';

/** The state that the tray's menu shows. */
export interface TrayFacts {
  attention: Attention;
  server: ServerState;
  isPaused: boolean;
  startsWithSystem: boolean;
}

/** What can be chosen in it. */
export interface TrayActions {
  open(): void;
  goTo(path: string): void;
  pause(pause: Pause): void;
  resume(): void;
  setStartWithSystem(starts: boolean): void;
  changeServer(): void;
  switchServer(choice: ServerChoice): void;
  checkForUpdates(): void;
  showAbout(): void;
  quit(): void;
}

/** The tray's menu. */
export function trayMenu({ attention, server, isPaused, startsWithSystem }: TrayFacts, actions: TrayActions) {
  const { inboxCount } = attention;
  const menu: MenuItemConstructorOptions[] = [
    { label: `Open ${PRODUCT_NAME}`, click: () => actions.open() },
    { type: 'separator' },
    { label: inboxCount > 0 ? `New Alerts (${inboxCount})` : 'New Alerts', click: () => actions.goTo('/') },
    { label: 'My Alerts', click: () => actions.goTo('/my-alerts') },
    { type: 'separator' },
    isPaused
      ? { label: 'Resume notifications', click: () => actions.resume() }
      : {
          label: 'Pause notifications',
          submenu: PAUSES.map((pause) => ({ label: pause.label, click: () => actions.pause(pause) })),
        },
    {
      label: 'Start with Windows',
      type: 'checkbox',
      checked: startsWithSystem,
      click: ({ checked }) => actions.setStartWithSystem(checked),
    },
    canSwitch(server)
      ? { label: `Server: ${serverName(server.choice)}`, submenu: serverSwitches(server, actions) }
      : server.isManaged
        ? { label: `Server: ${serverName(server.choice)} (set by your organization)`, enabled: false }
        : { label: `Server: ${serverName(server.choice)}…`, click: () => actions.changeServer() },
    { type: 'separator' },
    { label: 'Check for updates', click: () => actions.checkForUpdates() },
    { label: `About ${PRODUCT_NAME}`, click: () => actions.showAbout() },
    { type: 'separator' },
    { label: `Quit ${PRODUCT_NAME}`, click: () => actions.quit() },
  ];
  return menu;
}

/** The icon for the present state. */
export function trayLook({ attention: { connection, inboxCount }, server }: TrayFacts): TrayLook {
  if (server.phase !== 'connected' || connection === 'disconnected') return 'disconnected';
  if (connection === 'signed-out') return 'signed-out';
  return inboxCount > 0 ? 'unread' : 'quiet';
}

/** What the icon says when pointed at. */
export function trayTip(facts: TrayFacts): string {
  const { inboxCount } = facts.attention;
  const tips: Readonly<Record<TrayLook, string>> = {
    disconnected: `${PRODUCT_NAME}: not connected`,
    'signed-out': `${PRODUCT_NAME}: signed out`,
    unread: `${PRODUCT_NAME}: ${inboxCount} new ${inboxCount === 1 ? 'alert' : 'alerts'}`,
    quiet: PRODUCT_NAME,
  };
  return tips[trayLook(facts)];
}
