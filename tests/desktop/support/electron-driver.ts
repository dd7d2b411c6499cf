import { join } from 'node:path';
import { _electron } from '@playwright/test';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { APP_FOLDER, type Desktop, type Launch, type Overlay, endServer } from './desktop.ts';

const WATCH = join(import.meta.dirname, 'watch-electron.cjs');

/** What `watch-electron.cjs` has put into the main process. */
interface Watched {
  seenBySpecs: {
    overlay: Overlay | undefined;
    isFlashing: boolean;
    tray: { tip: string } | undefined;
    openedOutside: string[];
  };
  askedBySpecs: Record<string, (argument: unknown) => unknown>;
}

/** Starts the app on real Electron. What it cannot be put into, such as another platform, makes a spec be skipped before. */
export async function launchOnElectron(
  executablePath: string,
  { userData, argv = [] }: Launch & { userData: string },
): Promise<Desktop> {
  const app = await _electron.launch({
    executablePath,
    args: ['-r', WATCH, APP_FOLDER, `--user-data-dir=${userData}`, ...argv],
    cwd: PROJECT_DIR,
  });
  const exited = new Promise<number>((resolve) => app.process().once('exit', (code) => resolve(code ?? 1)));
  const seen = () =>
    app.evaluate(() => {
      const { overlay, isFlashing, tray, openedOutside } = (globalThis as unknown as Watched).seenBySpecs;
      return { overlay, isFlashing, tip: tray?.tip ?? '', openedOutside };
    });
  const ask = (name: string, argument?: unknown): Promise<unknown> =>
    app.evaluate((_, asked) => (globalThis as unknown as Watched).askedBySpecs[asked.name]?.(asked.argument), {
      name,
      argument,
    });
  return {
    driver: 'electron',
    userData,
    exited,
    page: () => app.firstWindow(),
    inPage: (script) =>
      app.evaluate(({ BrowserWindow }, code) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        return contents?.isCrashed() === false ? contents.executeJavaScript(code).catch(() => undefined) : undefined;
      }, script),
    isMaximized: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMaximized() ?? false),
    maximizeWindow: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.maximize()),
    isVisible: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false),
    isFlashing: async () => (await seen()).isFlashing,
    bounds: () =>
      app.evaluate(({ BrowserWindow }) => {
        const [window] = BrowserWindow.getAllWindows();
        if (!window) throw new Error('The app has no window.');
        return window.getBounds();
      }),
    closeWindow: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
    blur: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur()),
    moveWindow: (bounds) =>
      app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds),
    overlay: async () => (await seen()).overlay,
    badgeCount: () => app.evaluate((electron) => electron.app.getBadgeCount()),
    trayTip: async () => (await seen()).tip,
    trayMenu: () => ask('trayMenu') as Promise<string[]>,
    chooseInTray: async (label) => void (await ask('chooseInTray', label)),
    pressKeys: async (accelerator) => void (await ask('pressKeys', accelerator)),
    pressGlobalKeys: async (accelerator) => void (await ask('pressGlobalKeys', accelerator)),
    notifications: () => ask('notifications') as ReturnType<Desktop['notifications']>,
    useNotification: async (title, button) => void (await ask('useNotification', { title, button })),
    openedOutside: async () => (await seen()).openedOutside,
    clipboard: () => ask('clipboard') as Promise<string>,
    startAgain: async (...again) => void (await ask('startAgain', again)),
    crashServer: async () => endServer(await app.evaluate((electron) => electron.app.getAppMetrics())),
    crashPage: () =>
      app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()),
    async quit() {
      await app.evaluate((electron) => setImmediate(() => electron.app.quit())).catch(() => undefined);
      await exited;
    },
  };
}
