import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Desktop } from './support/desktop.ts';
import { SERVER_START, doubleOf, expect, test } from './support/fixtures.ts';

/** An installed app: from the sources nothing is registered with Windows. */
async function installedIn(userData: string): Promise<{ resourcesPath: string }> {
  const resourcesPath = join(userData, 'resources');
  await mkdir(resourcesPath, { recursive: true });
  return { resourcesPath };
}

const jumpList = (desktop: Desktop) => doubleOf(desktop).world.app.jumpList;

/** The user takes the entry of the jump list, which starts the program again. */
async function take(desktop: Desktop, title: string): Promise<void> {
  const item = jumpList(desktop).find((one) => one.title === title);
  if (!item?.args) throw new Error(`There is no "${title}" in the jump list.`);
  await desktop.startAgain(...item.args.split(' '));
}

test('the jump list goes to the screens and pauses notifications', async ({ launch, launchSignedIn, userData }) => {
  const { desktop, page } = await launchSignedIn(await installedIn(userData));
  await desktop.closeWindow();
  await take(desktop, 'My Alerts');
  expect(await desktop.isVisible()).toBe(true);
  await expect(page).toHaveURL(/\/my-alerts$/);
  await take(desktop, 'New Alerts');
  await expect(page).toHaveURL(/\/$/);

  await desktop.closeWindow();
  await take(desktop, 'Pause notifications for 1 hour');
  expect(await desktop.trayMenu()).toContain('Resume notifications');
  expect(await desktop.isVisible()).toBe(false);
  await take(desktop, 'Resume notifications');
  expect(jumpList(desktop).map(({ title }) => title)).toEqual([
    'New Alerts',
    'My Alerts',
    'Pause notifications for 1 hour',
    'Quit Alertdesk',
  ]);
  await desktop.quit();

  // It outlives the app.
  const second = await launch({ ...(await installedIn(userData)), argv: ['--task=my-alerts'] });
  await expect(await second.page()).toHaveURL(/\/my-alerts$/, { timeout: SERVER_START });
});

test('a page that is still loading is sent where the jump list goes', async ({ launchSignedIn, userData }) => {
  const { desktop, page } = await launchSignedIn(await installedIn(userData));
  const held: (() => void)[] = [];
  await page.route('**/assets/*.js', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue().catch(() => undefined);
  });
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(() => held.length).toBeGreaterThan(0);
  // The network reports the scripts, and the page that it is there: the app knows of both once the page answers.
  await page.evaluate(() => document.readyState);
  const taken = take(desktop, 'My Alerts');
  await page.unroute('**/assets/*.js');
  for (const go of held) go();
  await taken;
  await expect(page).toHaveURL(/\/my-alerts$/);
});

test('Start with Windows shows what Windows has, also when it was switched off there', async ({
  launch,
  launchSignedIn,
  userData,
}) => {
  const installed = await installedIn(userData);
  const { desktop: first, page } = await launchSignedIn(installed);
  const open = async () => page.goto(`${new URL(page.url()).origin}/settings`);
  await open();
  const startSwitch = page.getByRole('checkbox', { name: 'Start with Windows' });
  await expect(startSwitch).not.toBeChecked();
  await page.getByText('Start with Windows').click();
  await expect(startSwitch).toBeChecked();
  const { loginItem } = doubleOf(first).world;
  expect(loginItem).toMatchObject({ openAtLogin: true, args: ['--hidden'] });
  await first.quit();

  const startsIn = async (item: typeof loginItem) => {
    const desktop = await launch({ ...installed, loginItem: { ...item, openAtLogin: item.openAtLogin ?? false } });
    const isChecked = [...doubleOf(desktop).world.trays].map(({ menu }) => menu?.find('Start with Windows')?.checked);
    await desktop.quit();
    return isChecked;
  };
  expect(await startsIn(loginItem)).toEqual([true]);
  expect(await startsIn({ ...loginItem, enabled: false })).toEqual([false]);
  expect(await startsIn({ openAtLogin: false })).toEqual([false]);
});

test('nothing that is typed is looked up in a dictionary', async ({ launch }) => {
  const [window] = doubleOf(await launch()).world.windows;
  expect(window?.options.webPreferences?.spellcheck).toBe(false);
});
