import type { BrowserContext, Page } from '@playwright/test';
import type { DoubleBrowserWindow } from '#tests/desktop/double/browser-window.ts';
import type { Double } from '#tests/desktop/double/electron.ts';
import { runMain } from '#tests/desktop/double/run-main.ts';
import { APP_FOLDER, type Desktop, type Launch, endServer } from './desktop.ts';

const FULL_HD = { x: 0, y: 0, width: 1920, height: 1040 };

/** Starts the app's own main process on the double. */
export function launchOnDouble(
  context: BrowserContext,
  { userData, argv = [], platform = 'win32', displays = [FULL_HD], appData, ...more }: Launch & { userData: string },
): { desktop: Desktop; double: Double } {
  const start = (args: readonly string[]) =>
    runMain(
      APP_FOLDER,
      {
        platform,
        appData: appData ?? userData,
        localAppData: more.localAppData ?? process.env['LOCALAPPDATA'] ?? appData ?? userData,
        argv: [...(appData === undefined ? [`--user-data-dir=${userData}`] : []), ...args],
        displays,
        isPackaged: more.resourcesPath !== undefined,
        resourcesPath: more.resourcesPath,
        registry: more.registry ?? {},
        notificationsBlocked: more.notificationsBlocked ?? false,
        takenShortcuts: more.takenShortcuts ?? [],
        hasNoTray: more.hasNoTray ?? false,
        loginItem: more.loginItem ?? { openAtLogin: false },
      },
      context,
    );
  const double = start(argv);
  const { world } = double;
  const window = (): DoubleBrowserWindow => {
    const [first] = world.windows;
    if (!first) throw new Error('The app has no window.');
    return first;
  };
  const tray = () => {
    const [first] = world.trays;
    if (!first) throw new Error('The app has no icon in the tray.');
    return first;
  };
  const desktop: Desktop = {
    driver: 'double',
    userData,
    exited: world.app.exited,
    async page(): Promise<Page> {
      await world.app.whenReady();
      return window().webContents.page;
    },
    async inPage(script) {
      const { webContents } = window();
      return webContents.isCrashed() ? undefined : webContents.executeJavaScript(script).catch(() => undefined);
    },
    isVisible: async () => window().isVisible(),
    isMaximized: async () => window().isMaximized(),
    isFlashing: async () => window().isFlashing,
    bounds: async () => window().getBounds(),
    closeWindow: async () => window().close(),
    blur: async () => window().blur(),
    maximizeWindow: async () => window().maximize(),
    moveWindow: async (bounds) => window().setBounds(bounds),
    async overlay() {
      const { overlay } = window();
      if (!overlay) return undefined;
      const { image, description } = overlay;
      // toBitmap has four bytes for each pixel of a square.
      const side = (scaleFactor: number) => Math.sqrt(image.toBitmap({ scaleFactor }).length / 4);
      return { description, sizes: Object.fromEntries(image.getScaleFactors().map((scale) => [scale, side(scale)])) };
    },
    badgeCount: async () => world.app.badgeCount,
    trayTip: async () => tray().toolTip,
    trayMenu: async () => tray().menu?.labels() ?? [],
    chooseInTray: async (label) => tray().menu?.choose(label),
    async pressKeys(accelerator) {
      if (!world.applicationMenu?.press(accelerator)) throw new Error(`Nothing in the menu listens to ${accelerator}.`);
    },
    pressGlobalKeys: async (accelerator) => world.shortcuts.get(accelerator)?.(),
    notifications: async () =>
      world.notifications.flatMap(({ shown }) =>
        shown ? [{ title: shown.title, body: shown.body, buttons: shown.buttons.map(({ content }) => content) }] : [],
      ),
    async useNotification(title, button) {
      const found = world.notifications.findLast(({ shown }) => shown?.title === title);
      if (!found) throw new Error(`There is no notification "${title}".`);
      found.use(button);
    },
    openedOutside: async () => world.openedOutside,
    clipboard: async () => world.clipboard,
    async startAgain(...again) {
      // The lock is taken: it has the first show itself, and ends before it touches anything.
      const second = start(again).world;
      await second.app.exited;
      world.errors.push(...second.errors);
    },
    crashServer: async () => endServer(world.app.getAppMetrics()),
    crashPage: async () => window().webContents.forcefullyCrashRenderer(),
    async quit() {
      world.app.quit();
      await world.app.exited;
    },
  };
  return { desktop, double };
}
