import type { Page } from '@playwright/test';
import { makeInstaller, makeRunnable } from '#tests/support/installed-app.ts';
import { SERVER_START, doubleOf, expect, test } from './support/fixtures.ts';
import { install } from './support/installed.ts';
import { join } from 'node:path';
import type { Desktop } from './support/desktop.ts';
import { serverName } from '#electron/server/server-menu.ts';

const HERE = `Server: ${serverName({ kind: 'this-computer' })}…`;

/** The page shows something that would be lost, and somebody has used it. */
async function holdsSecret(page: Page): Promise<void> {
  await page.evaluate<void>(`addEventListener('beforeunload', (event) => event.preventDefault())`);
  await page.getByRole('heading').first().click();
}

/** The page answers a call of the bridge, which the main process takes from the pages that it knows only. */
const isServed = (page: Page) =>
  page.evaluate<boolean>(`alertdesk.getNotificationState().then(() => true, () => false)`);

const world = (desktop: Desktop) => doubleOf(desktop).world;

test('a page with something to lose is asked about before the app quits; who stays has the app as it was', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  await holdsSecret(page);
  await desktop.chooseInTray('Quit Alertdesk');
  await expect.poll(() => world(desktop).questions).toHaveLength(1);
  expect(world(desktop).questions).toMatchObject([{ message: 'Leave this page?', buttons: ['Leave', 'Stay'] }]);
  expect(await isServed(page)).toBe(true);
  // Closing hides, as before.
  await desktop.closeWindow();
  expect(await desktop.isVisible()).toBe(false);

  // The box needs its window.
  world(desktop).answer = 'Leave';
  await desktop.chooseInTray('Quit Alertdesk');
  expect(await desktop.exited).toBe(0);
  expect(world(desktop).questions).toHaveLength(2);
});

test('refreshing and switching the server ask too, and the page that stays is served', async ({ launchSignedIn }) => {
  const { desktop, page } = await launchSignedIn();
  await holdsSecret(page);
  const { origin } = new URL(page.url());
  await desktop.pressKeys('CommandOrControl+R');
  await expect.poll(() => world(desktop).questions).toHaveLength(1);
  await desktop.chooseInTray(HERE);
  await expect.poll(() => world(desktop).questions).toHaveLength(2);
  await expect.poll(() => isServed(page)).toBe(true);
  expect(new URL(page.url()).origin).toBe(origin);
  expect(await desktop.trayTip()).not.toContain('not connected');
  await desktop.pressKeys('CommandOrControl+2');
  await expect(page).toHaveURL(/\/my-alerts$/);

  world(desktop).answer = 'Leave';
  await desktop.chooseInTray(HERE);
  await expect(page.getByRole('heading', { name: 'Connect to a team server' })).toBeVisible();
  await desktop.quit();
});

test('a page that somebody stays on outlives its server, and goes on when that is back', async ({ launchSignedIn }) => {
  const { desktop, page } = await launchSignedIn();
  await holdsSecret(page);
  await page.evaluate<void>('window.isStillHere = true');
  await desktop.crashServer();
  await expect.poll(() => world(desktop).questions).toHaveLength(1);
  await expect.poll(() => isServed(page)).toBe(true);
  await expect.poll(() => desktop.trayTip()).toContain('not connected');
  // It is asked once, not at each attempt to connect.
  await page.getByText('Connected', { exact: true }).waitFor({ timeout: SERVER_START });
  await expect.poll(() => desktop.trayTip(), { timeout: SERVER_START }).not.toContain('not connected');
  expect(world(desktop).questions).toHaveLength(1);
  expect(await page.evaluate<boolean>('window.isStillHere')).toBe(true);
  world(desktop).answer = 'Leave';
});

test('at the end of a Windows session nothing is asked', async ({ launchSignedIn }) => {
  const { desktop, page } = await launchSignedIn();
  await holdsSecret(page);
  world(desktop).app.endSession();
  expect(await desktop.exited).toBe(0);
  expect(world(desktop).questions).toEqual([]);
});

test('an update waits for who stays on the page, with the server still there', async ({ launchSignedIn, userData }) => {
  test.skip(process.platform === 'win32', 'What stands for the installer is a script of a shell.');
  const installed = await install(join(userData, 'computer'));
  try {
    await installed.feed.offer('1.0.4', makeInstaller('1.0.4', join(userData, 'ledger')));
    const { desktop, page } = await launchSignedIn({ resourcesPath: installed.resourcesPath });
    await page.evaluate<unknown>('alertdesk.checkForUpdates().then(() => alertdesk.downloadUpdate())');
    await makeRunnable(installed.downloaded('1.0.4'));
    await holdsSecret(page);
    await page.evaluate<void>('alertdesk.restartAndInstall()');
    expect(world(desktop).questions).toHaveLength(1);
    expect(world(desktop).children.size).toBe(1);
    expect(await isServed(page)).toBe(true);

    world(desktop).answer = 'Leave';
    void page.evaluate<void>('alertdesk.restartAndInstall()').catch(() => undefined);
    expect(await desktop.exited).toBe(0);
  } finally {
    await installed.dispose();
  }
});
