import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, type Page, test as base, expect } from '@playwright/test';
import type { Double } from '#tests/desktop/double/electron.ts';
import { type WarmContexts, createWarmContexts } from '#tests/e2e/support/warm-contexts.ts';
import { keepScreens } from '#tests/support/keep-screens.ts';
import { freePortForLater } from '#tests/support/plain-proxy.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import type { Desktop, Launch } from './desktop.ts';
import { launchOnDouble } from './double-driver.ts';
import { launchOnElectron } from './electron-driver.ts';
import { findElectron } from './find-electron.ts';
import { type UsedServer, changeSettings, makeUsedServer } from './used-server.ts';

export { expect };

/** The app as it is used day by day: the page shows the inbox of the server on this computer. */
export interface SignedIn {
  desktop: Desktop;
  page: Page;
  /** Posts an alert to the server, as a system outside does. Resolves with the alert's id. */
  post: (body: object) => Promise<string>;
}

interface WorkerFixtures {
  /** Where the server on this computer listens, unless a test says otherwise: pages that come again are in the cache. */
  port: number;
  /** Contexts in which earlier tests had the app's pages. */
  warmContexts: WarmContexts;
  /** Copied for each test, so that a start is not that of an empty database. */
  usedServer: UsedServer;
}

interface Fixtures {
  /** Whether the server on this computer has no data before the test. */
  isFirstStart: boolean;
  /** A data folder that is removed after the test. */
  userData: string;
  /** What the double's pages keep: cookies and storage outlive a restart of the app, as they do on a disk. */
  profile: BrowserContext;
  /** Starts a server that was used before in a process of its own, as a team has one; it ends with the test. */
  startTeamServer: () => Promise<ServerProcess>;
  /** Starts the app; it is quit at the test's end, and an error that nobody caught fails the test. */
  launch: (options?: Launch) => Promise<Desktop>;
  /** Starts the app on the server on this computer, with the administrator signed in. */
  launchSignedIn: (options?: Launch) => Promise<SignedIn>;
}

/** Has the page be as it is when the person looks at something else, until it is loaded again. */
export const lookAway = (page: Page): Promise<void> => page.evaluate<void>('document.hasFocus = () => false');

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
  localAppData,
  registry,
  hasNoTray,
  loginItem,
}: Launch): boolean =>
  [
    platform,
    displays,
    notificationsBlocked,
    takenShortcuts,
    resourcesPath,
    appData,
    localAppData,
    registry,
    hasNoTray,
    loginItem,
  ].some((option) => option !== undefined);

export const test = base.extend<Fixtures, WorkerFixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  port: [async ({}, use) => use(await freePortForLater()), { scope: 'worker' }],

  warmContexts: [
    async ({ browser, port }, use) => {
      const options = { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' } as const;
      // No server is there yet.
      const contexts = createWarmContexts(browser, `http://127.0.0.1:${port}`, options, async (page) => {
        await page.route('**', (route) => route.fulfill({ body: '' }));
        await page.goto('/');
      });
      await use(contexts);
      await contexts.close();
    },
    { scope: 'worker' },
  ],

  usedServer: [
    async ({ browserName: _browserName }, use) => {
      const server = await makeUsedServer();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  isFirstStart: [false, { option: true }],

  userData: async ({ isFirstStart, port, usedServer }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'alertdesk-desktop-'));
    if (!isFirstStart) {
      await usedServer.copyTo(folder);
      await changeSettings(folder, { port });
    }
    await use(folder);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },

  profile: async ({ warmContexts }, use, testInfo) => {
    const context = await warmContexts.take();
    await use(context);
    await keepScreens([context], testInfo);
    await warmContexts.giveBack(context);
  },

  startTeamServer: async ({ userData, usedServer }, use) => {
    const servers: ServerProcess[] = [];
    await use(async () => {
      const folder = join(userData, `team-${servers.length}`);
      await usedServer.copyTo(folder);
      const server = await startServerProcess({ script: 'scripts/start.ts', dataDir: join(folder, 'server') });
      servers.push(server);
      return server;
    });
    for (const server of servers) await server.dispose();
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

  launchSignedIn: async ({ launch, userData, profile, usedServer }, use) => {
    await use(async (options = {}) => {
      await changeSettings(userData, { server: { kind: 'this-computer' } });
      await profile.addCookies(usedServer.cookies);
      const desktop = await launch(options);
      const page = await desktop.page();
      const email = page.getByLabel('Email', { exact: true });
      await page.getByText('Connected', { exact: true }).or(email).waitFor({ timeout: SERVER_START });
      // Real Electron has cookies of its own.
      if (await email.isVisible()) await signIn(page);
      const { origin } = new URL(page.url());
      return { desktop, page, post: (body) => usedServer.post(origin, body) };
    });
  },
});

/** How long a server may take to start on a busy machine, also on an empty folder, in milliseconds. */
export const SERVER_START = 40_000;

/** Chooses the server on this computer on the app's own page, and signs in. */
export async function useThisComputer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Use this computer' }).click();
  await signIn(page);
}

/** The page of an app that was started again, once it shows the server that it had. */
export async function connectedPage(desktop: Desktop): Promise<Page> {
  const page = await desktop.page();
  await page.getByText('Connected', { exact: true }).waitFor({ timeout: SERVER_START });
  return page;
}

/** Signs the administrator in on the sign-in page. */
export async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email', { exact: true }).waitFor({ timeout: SERVER_START });
  await page.getByLabel('Email', { exact: true }).fill(ADMIN.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
}
