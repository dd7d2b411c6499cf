import type { Page } from '@playwright/test';
import { makeInstaller, makeRunnable } from '#tests/support/installed-app.ts';
import { SERVER_START, doubleOf, expect, test } from './support/fixtures.ts';
import { install } from './support/installed.ts';
import { changeSettings } from './support/used-server.ts';
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

test('a page with something to lose is asked about before the app quits, refreshes or changes its server, and outlives that; who stays has it as it was', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const { origin } = new URL(page.url());
  const { questions } = world(desktop);
  await holdsSecret(page);
  await page.evaluate<void>('window.isStillHere = true');

  await test.step('quitting', async () => {
    await desktop.chooseInTray('Quit Alertdesk');
    await expect.poll(() => questions).toHaveLength(1);
    expect(questions).toMatchObject([{ message: 'Leave this page?', buttons: ['Leave', 'Stay'] }]);
    expect(await isServed(page)).toBe(true);
    // Closing hides, as before.
    await desktop.closeWindow();
    expect(await desktop.isVisible()).toBe(false);
    await desktop.chooseInTray('Open Alertdesk');
  });

  await test.step('refreshing, and choosing a server', async () => {
    await desktop.pressKeys('CommandOrControl+R');
    await expect.poll(() => questions).toHaveLength(2);
    // The page answers once the box is closed. Until then a browser does not ask again.
    await expect.poll(() => isServed(page)).toBe(true);
    await desktop.chooseInTray(HERE);
    await expect.poll(() => questions).toHaveLength(3);
    await expect.poll(() => isServed(page)).toBe(true);
    expect(new URL(page.url()).origin).toBe(origin);
    expect(await desktop.trayTip()).not.toContain('not connected');
    await desktop.pressKeys('CommandOrControl+2');
    await expect(page).toHaveURL(/\/my-alerts$/);
  });

  await test.step('a server that is gone and comes back', async () => {
    await desktop.crashServer();
    await expect.poll(() => questions).toHaveLength(4);
    await expect.poll(() => isServed(page)).toBe(true);
    await expect.poll(() => desktop.trayTip()).toContain('not connected');
    // It is asked once, not at each attempt to connect.
    await page.getByText('Connected', { exact: true }).waitFor({ timeout: SERVER_START });
    await expect.poll(() => desktop.trayTip(), { timeout: SERVER_START }).not.toContain('not connected');
    expect(questions).toHaveLength(4);
    expect(await page.evaluate<boolean>('window.isStillHere')).toBe(true);
  });

  await test.step('who leaves', async () => {
    world(desktop).answer = 'Leave';
    await desktop.chooseInTray(HERE);
    await expect(page.getByRole('heading', { name: 'Connect to a team server' })).toBeVisible();
    await page.getByRole('button', { name: 'Keep using this computer' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await holdsSecret(page);
    await desktop.closeWindow();
    // The box needs its window.
    const asked = questions.length;
    await desktop.chooseInTray('Quit Alertdesk');
    expect(await desktop.exited).toBe(0);
    expect(questions).toHaveLength(asked + 1);
  });
});

test('after Stay the menus name the server that is in use', async ({ launchSignedIn, userData }) => {
  const other = { kind: 'team-server', url: 'http://127.0.0.1:9' };
  await changeSettings(userData, { knownServers: [{ kind: 'this-computer' }, other] });
  const { desktop, page } = await launchSignedIn();
  const { questions, trays } = world(desktop);
  await holdsSecret(page);
  await desktop.chooseInTray('Server: this computer › 127.0.0.1:9');
  await expect.poll(() => questions).toHaveLength(1);
  await expect.poll(() => isServed(page)).toBe(true);
  const marks = () =>
    [
      [...trays][0]?.menu?.find('Server: this computer › 127.0.0.1:9'),
      [...trays][0]?.menu?.find('Server: this computer › this computer'),
      world(desktop).applicationMenu?.find('File › Server › this computer'),
    ].map((item) => item?.checked);
  world(desktop).answer = 'Leave';
  await expect.poll(marks).toEqual([false, true, true]);
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
