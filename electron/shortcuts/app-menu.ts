import type { MenuItemConstructorOptions } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { ServerChoice, ServerState } from '#electron/contract/server-choice.ts';
import { canSwitch, serverSwitches } from '#electron/server/server-menu.ts';

/** What the application menu does. */
export interface MenuActions {
  goTo(path: string): void;
  refresh(): void;
  toggleSidebar(): void;
  changeServer(): void;
  switchServer(choice: ServerChoice): void;
  checkForUpdates(): void;
  openLogFolder(): void;
  showAbout(): void;
  quit(): void;
}

/** The application menu with the app's shortcuts. */
export function appMenu(server: ServerState, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    {
      label: '&File',
      submenu: [
        canSwitch(server)
          ? { label: 'Server', submenu: serverSwitches(server, actions) }
          : { label: 'Change server…', enabled: !server.isManaged, click: () => actions.changeServer() },
        { type: 'separator' },
        // Closing hides the window; the app stays in the tray.
        { label: 'Close window', role: 'close' },
        { label: `Quit ${PRODUCT_NAME}`, accelerator: 'CommandOrControl+Q', click: () => actions.quit() },
      ],
    },
    { label: '&Edit', role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { label: 'New Alerts', accelerator: 'CommandOrControl+1', click: () => actions.goTo('/') },
        { label: 'My Alerts', accelerator: 'CommandOrControl+2', click: () => actions.goTo('/my-alerts') },
        { type: 'separator' },
        { label: 'Refresh', accelerator: 'CommandOrControl+R', click: () => actions.refresh() },
        {
          label: 'Toggle sidebar',
          accelerator: 'CommandOrControl+B',
          // The page handles the keys itself, as in the web app; the menu only names them.
          registerAccelerator: false,
          click: () => actions.toggleSidebar(),
        },
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
        { type: 'separator' },
        { role: 'toggleDevTools' },
      ],
    },
    {
      label: '&Help',
      submenu: [
        { label: 'Check for updates', click: () => actions.checkForUpdates() },
        { label: 'Open log folder', click: () => actions.openLogFolder() },
        { type: 'separator' },
        { label: `About ${PRODUCT_NAME}`, click: () => actions.showAbout() },
      ],
    },
  ];
}
