import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import type { Double } from '#tests/desktop/double/electron.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import type { Desktop, Launch } from './desktop.ts';
import { launchOnDouble } from './double-driver.ts';
import { launchOnElectron } from './electron-driver.ts';
import { findElectron } from './find-electron.ts';

export { expect };

interface Fixtures {
  /** A data folder that is removed after the test. */
  userData: string;
  /** What the double's pages keep: cookies and storage outlive a restart of the app, as they do on a disk. */
  profile: BrowserContext;
  /** Starts the app; it is quit at the test's end, and an error that nobody caught fails the test. */
  launch: (options?: Launch) => Promise<Desktop>;
}

const doubles = new WeakMap<Desktop, Double>();

/** What only the double can be asked or put into; on real Electron the test is skipped. */
export function doubleOf(desktop: Desktop): Double {
  const double = doubles.get(desktop);
  test.skip(!double, 'Only the double can be asked this.');
  if (!double) throw new Error('A skipped test went on.');
  return double;
}

/** Real Electron is on the computer that it is on. */
const isOnlyForDouble = ({
  platform,
  displays,
  notificationsBlocked,
  takenShortcuts,
  resourcesPath,
  appData,
  hasNoTray,
  loginItem,
}: Launch): boolean =>
  [platform, displays, notificationsBlocked, takenShortcuts, resourcesPath, appData, hasNoTray, loginItem].some(
    (option) => option !== undefined,
  );

export const test = base.extend<Fixtures>({
  userData: async ({ browserName: _browserName }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'alertdesk-desktop-'));
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },

  profile: async ({ browser }, use) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await use(context);
    await context.close();
  },

  launch: async ({ userData, profile }, use, testInfo) => {
    // Handed on to the embedded server, whose password would else be known to its own output only.
    process.env['ADMIN_PASSWORD'] = ADMIN.password;
    const electron = process.env['DESKTOP_DRIVER'] === 'electron' ? findElectron() : undefined;
    testInfo.annotations.push({ type: 'driver', description: electron ?? 'double of Electron' });
    const running: Desktop[] = [];
    await use(async (options = {}) => {
      if (electron) {
        test.skip(isOnlyForDouble(options), 'Real Electron cannot be put into such a place.');
        const desktop = await launchOnElectron(electron, { userData, ...options });
        running.push(desktop);
        return desktop;
      }
      const { desktop, double } = launchOnDouble(profile, { userData, ...options });
      doubles.set(desktop, double);
      running.push(desktop);
      await double.world.app.whenReady();
      return desktop;
    });
    for (const desktop of running) await desktop.quit();
    if (testInfo.status !== testInfo.expectedStatus) {
      // Beside what the runner keeps of a failed test: the data folder is removed.
      await cp(join(userData, 'logs'), testInfo.outputPath('logs'), { recursive: true }).catch(() => undefined);
    }
    const worlds = running.flatMap((desktop) => doubles.get(desktop)?.world ?? []);
    const log = worlds.map(({ output }) => output.join('')).join('\n');
    await testInfo.attach('log', { body: log, contentType: 'text/plain' });
    expect(worlds.flatMap(({ errors }) => errors)).toEqual([]);
  },
});

/** Chooses the embedded server at the first start and signs in. */
export async function useThisComputer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await signIn(page);
}

/** How long a server may take to make its database and the first administrator on a busy machine, in milliseconds. */
const FIRST_START = 40_000;

/** Signs the administrator in on the sign-in page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').waitFor({ timeout: FIRST_START });
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
}
