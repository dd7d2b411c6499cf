import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import type { DoubleBrowserWindow } from '#tests/desktop/double/browser-window.ts';
import type { Double } from '#tests/desktop/double/electron.ts';
import { runMain } from '#tests/desktop/double/run-main.ts';
import type { Desktop, Launch } from './desktop.ts';

/** The bundle that ships. */
const MAIN = join(PROJECT_DIR, 'dist', 'desktop', 'main.cjs');

const FULL_HD = { x: 0, y: 0, width: 1920, height: 1040 };

/** Starts the app's own main process on the double. */
export function launchOnDouble(
  context: BrowserContext,
  { userData, argv = [], platform = 'win32', displays = [FULL_HD], ...more }: Launch & { userData: string },
): { desktop: Desktop; double: Double } {
  const double = runMain(
    MAIN,
    {
      platform,
      userData,
      argv,
      displays,
      isPackaged: more.resourcesPath !== undefined,
      resourcesPath: more.resourcesPath,
      version: '1.0.3',
      notificationsBlocked: more.notificationsBlocked ?? false,
      takenShortcuts: more.takenShortcuts ?? [],
    },
    context,
  );
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
    isVisible: async () => window().isVisible(),
    isFlashing: async () => window().isFlashing,
    bounds: async () => window().getBounds(),
    closeWindow: async () => window().close(),
    blur: async () => window().blur(),
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
    startAgain: async (...again) => void world.app.emit('second-instance', {}, ['alertdesk', ...again], userData, {}),
    async crashServer() {
      for (const child of world.children) child.kill();
    },
    crashPage: async () => window().webContents.forcefullyCrashRenderer(),
    async quit() {
      world.app.quit();
      await world.app.exited;
    },
  };
  return { desktop, double };
}
