import { SERVER_START, doubleOf, expect, test, useThisComputer } from './support/fixtures.ts';

/** After so long the window appears without its page, in milliseconds. */
const SHOW_ANYWAY_MS = 5_000;

/** A colour such as #1c2127 in the words of computed styles. */
const asRgb = (hex = ''): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

test('closing leaves the app in the tray, which is said once; keys and the tray lead to the screens, and the tray quits it', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const isShown = () => page.evaluate<boolean>('alertdesk.isWindowShown()');
  expect(await isShown()).toBe(true);
  await page.evaluate<void>(`alertdesk.on('windowShown', (isShown) => (window.isShown = isShown))`);
  await desktop.closeWindow();
  expect(await desktop.isVisible()).toBe(false);
  expect([await isShown(), await page.evaluate<boolean>('window.isShown')]).toEqual([false, false]);
  expect(await desktop.notifications()).toEqual([
    { title: 'Alertdesk is still running', body: 'It stays in the tray. Quit it there.', buttons: [] },
  ]);

  await desktop.useNotification('Alertdesk is still running');
  expect(await desktop.isVisible()).toBe(true);
  await desktop.closeWindow();
  expect(await desktop.notifications()).toHaveLength(1);

  await desktop.startAgain();
  expect(await desktop.isVisible()).toBe(true);

  await test.step('keys and tray go to the screens', async () => {
    await desktop.pressKeys('CommandOrControl+2');
    await expect(page).toHaveURL(/\/my-alerts$/);
    await desktop.pressKeys('CommandOrControl+1');
    await expect(page).toHaveURL(/\/$/);
    await desktop.closeWindow();
    await desktop.chooseInTray('My Alerts');
    expect(await desktop.isVisible()).toBe(true);
    await expect(page).toHaveURL(/\/my-alerts$/);
    // The page from before says "Connected", too, until the new one is there.
    await desktop.inPage('void (window.isBeforeTheReload = true)');
    await desktop.pressKeys('CommandOrControl+R');
    await expect
      .poll(() => desktop.inPage(`window.isBeforeTheReload === undefined && document.readyState === 'complete'`))
      .toBe(true);
    await page.getByText('Connected', { exact: true }).waitFor();
    await expect(page).toHaveURL(/\/my-alerts$/);
  });

  await test.step('the page with the choice of a server gives way to a screen that is asked for, and to closing', async () => {
    const choice = page.getByRole('heading', { name: 'Connect to a team server' });
    await desktop.chooseInTray('Server: this computer…');
    await choice.waitFor();
    await desktop.chooseInTray('My Alerts');
    await expect(page).toHaveURL(/\/my-alerts$/);
    await desktop.chooseInTray('Server: this computer…');
    await choice.waitFor();
    await desktop.closeWindow();
    await page.getByText('Connected', { exact: true }).waitFor();
    expect(await desktop.isVisible()).toBe(false);
    await desktop.chooseInTray('Open Alertdesk');
  });

  await test.step('a page that crashed is loaded again', async () => {
    await desktop.inPage('void (window.isBeforeTheCrash = true)');
    await desktop.crashPage();
    // Asked of the main process: a driver's own page is lost with what crashed.
    await expect
      .poll(() =>
        desktop.inPage(`window.isBeforeTheCrash === undefined && document.body.innerText.includes('Connected')`),
      )
      .toBe(true);
  });

  await desktop.chooseInTray('Quit Alertdesk');
  expect(await desktop.exited).toBe(0);
});

test('a window whose display is gone comes to the one that is there', async ({ launch }) => {
  const left = { x: 0, y: 0, width: 1920, height: 1040 };
  const right = { x: 1920, y: 0, width: 1920, height: 1040 };
  const first = await launch({ displays: [left, right] });
  await first.moveWindow({ x: 2500, y: 100, width: 1000, height: 700 });
  await first.quit();
  const second = await launch({ displays: [left, right] });
  expect(await second.bounds()).toEqual({ x: 2500, y: 100, width: 1000, height: 700 });
  await second.quit();
  const third = await launch({ displays: [left] });
  expect(await third.bounds()).toEqual({ x: 460, y: 170, width: 1000, height: 700 });
  await third.quit();

  // Unplugged while the window is in the tray.
  const fourth = await launch({ displays: [left, right] });
  await fourth.moveWindow({ x: 2500, y: 100, width: 1000, height: 700 });
  await fourth.closeWindow();
  doubleOf(fourth).world.screen.change([left]);
  await fourth.chooseInTray('Open Alertdesk');
  await expect.poll(() => fourth.bounds()).toEqual({ x: 460, y: 170, width: 1000, height: 700 });
});

test('a link opens the alert, while the app runs and as it starts, on its page', async ({ launch, launchSignedIn }) => {
  const id = '01890000-0000-7000-8000-000000000000';
  const { desktop: first, page, post } = await launchSignedIn();
  const accepted = await post({ customer: 'Acme' });
  await post({ customer: 'Later' });
  await page.getByRole('article').filter({ hasText: 'Acme' }).getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('Alert accepted').first()).toBeVisible();
  await first.closeWindow();
  await first.startAgain(`alertdesk://alert/${accepted}`);
  expect(await first.isVisible()).toBe(true);
  await expect(page).toHaveURL(new RegExp(`/alert/${accepted}$`));
  await expect(page.getByRole('heading', { name: 'Acme' })).toBeVisible();

  await first.startAgain(`alertdesk://alert/${id}`);
  await expect(page.getByText('Alert not found')).toBeVisible();
  await first.quit();

  const second = await launch({ argv: [`alertdesk://alert/${id.toUpperCase()}`] });
  await expect(await second.page()).toHaveURL(new RegExp(`/alert/${id}$`), { timeout: SERVER_START });
});

test('a page that crashes again and again is replaced by the app’s own, which tries again on request', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const { world } = doubleOf(desktop);
  const [window] = world.windows;
  for (const reloads of [1, 2, 3]) {
    await desktop.crashPage();
    await expect.poll(() => window?.webContents.reloads).toBe(reloads);
    await page.getByText('Connected', { exact: true }).waitFor();
  }
  await desktop.crashPage();
  const problem = page.getByRole('alert');
  await expect(problem).toContainText('The page stopped working');
  await expect(problem).not.toContainText('every 15 seconds');
  expect(window?.webContents.reloads).toBe(3);
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
});

test('a page that hangs for ten seconds is ended and loaded again; one that recovers is left alone', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  const [window] = doubleOf(desktop).world.windows;
  window?.emit('unresponsive');
  window?.emit('responsive');
  window?.emit('unresponsive');
  await page.waitForURL('about:blank', { timeout: 20_000 });
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(window?.webContents.reloads).toBe(1);
});

test('started with the system the app stays in the tray', async ({ launch }) => {
  const desktop = await launch({ argv: ['--hidden'] });
  await (await desktop.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  expect(await desktop.isVisible()).toBe(false);
  await desktop.chooseInTray('Open Alertdesk');
  await expect.poll(() => desktop.isVisible()).toBe(true);
});

test('a second start with the system leaves the window where it is', async ({ launch }) => {
  const desktop = await launch();
  await (await desktop.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  await desktop.closeWindow();
  // As a company's software distribution does for everybody who is signed in.
  await desktop.startAgain('--hidden');
  expect(await desktop.isVisible()).toBe(false);
  await desktop.startAgain();
  expect(await desktop.isVisible()).toBe(true);
});

test('a maximized window comes back maximized, and stays hidden in the tray until it is asked for', async ({
  launch,
}) => {
  const first = await launch();
  await (await first.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  await first.maximizeWindow();
  await first.quit();

  const second = await launch({ argv: ['--hidden'] });
  await (await second.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  expect(await second.isVisible()).toBe(false);
  // It was never seen, and keeps what it was all the same.
  await second.quit();

  const third = await launch({ argv: ['--hidden'] });
  await (await third.page()).getByRole('heading', { name: 'Use this computer' }).waitFor();
  await third.chooseInTray('Open Alertdesk');
  // A window that is not drawn yet is shown as soon as it is.
  await expect.poll(() => third.isVisible()).toBe(true);
  await expect.poll(() => third.isMaximized()).toBe(true);
});

test('a maximized window stays on its display when it comes back from the tray, and leaves one that is gone', async ({
  launch,
}) => {
  const left = { x: 0, y: 0, width: 1920, height: 1040 };
  const right = { x: 1920, y: 0, width: 1920, height: 1040 };
  // Windows lays the frame of a maximized window over the edges of its display.
  const maximizedOn = ({ x, y, width, height }: typeof left) => ({
    x: x - 8,
    y: y - 8,
    width: width + 16,
    height: height + 16,
  });
  const desktop = await launch({ displays: [left, right] });
  await expect.poll(() => desktop.isVisible()).toBe(true);
  await desktop.moveWindow({ x: 2500, y: 100, width: 1000, height: 700 });
  await desktop.maximizeWindow();
  await desktop.closeWindow();
  await desktop.chooseInTray('Open Alertdesk');
  expect(await desktop.bounds()).toEqual(maximizedOn(right));

  await desktop.closeWindow();
  doubleOf(desktop).world.screen.change([left]);
  await desktop.chooseInTray('Open Alertdesk');
  expect(await desktop.bounds()).toEqual(maximizedOn(left));
  expect(await desktop.isMaximized()).toBe(true);
  expect(await desktop.isVisible()).toBe(true);
});

test('the window appears with its page in it, before that in the theme’s colour', async ({ launch }) => {
  const desktop = await launch();
  const began = performance.now();
  const { electron, world } = doubleOf(desktop);
  const [window] = world.windows;
  const order: string[] = [];
  for (const name of ['ready-to-show', 'show']) window?.prependOnceListener(name, () => order.push(name));
  const shown = new Promise((resolve) => window?.once('show', resolve)).then(() => performance.now() - began);
  expect(await desktop.isVisible()).toBe(false);
  await expect.poll(() => desktop.isVisible()).toBe(true);
  // A page that takes longer than that to be drawn is not waited for.
  const isDrawnFirst = (await shown) < SHOW_ANYWAY_MS - 1_000;
  expect(isDrawnFirst ? order : ['ready-to-show', 'show']).toEqual(['ready-to-show', 'show']);

  const page = await desktop.page();
  await useThisComputer(page);
  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
  expect(asRgb(window?.options.backgroundColor)).toBe(await ground());

  await page.getByRole('button', { name: 'admin@alertdesk.local' }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect.poll(() => electron.nativeTheme.themeSource).toBe('dark');
  expect(asRgb(window?.options.backgroundColor)).toBe(await ground());
  await desktop.quit();

  const second = doubleOf(await launch());
  expect(second.electron.nativeTheme.themeSource).toBe('dark');
  expect([...second.world.windows][0]?.options.backgroundColor).toBe('#1c2127');
});
