import { CSRF_COOKIE, CSRF_HEADER } from '#backend/contract/csrf.ts';
import { takeLine } from '#tests/e2e/support/line.ts';
import { watchRequests } from '#tests/e2e/support/requests.ts';
import type { Desktop } from './support/desktop.ts';
import { SERVER_START, doubleOf, expect, lookAway, signIn, test } from './support/fixtures.ts';

/** What the taskbar overlay reads. */
const countsOf = (desktop: Desktop) => async () => (await desktop.overlay())?.description;

test('badge, tray and flashing follow the inbox, pauses, the taskbar button and the session', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn();
  const counts = countsOf(desktop);
  expect(await desktop.overlay()).toBeUndefined();
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk');

  await post({ customer: 'Acme' });
  await expect
    .poll(() => desktop.overlay())
    .toEqual({
      description: '1 new alert',
      // Electron makes every overlay 16 pixels wide.
      sizes: { 1: 16 },
    });
  expect(await desktop.trayTip()).toBe('Alertdesk: 1 new alert');
  expect(await desktop.trayMenu()).toContain('New Alerts (1)');
  expect(await desktop.isFlashing()).toBe(false);

  await desktop.blur();
  await lookAway(page);
  await post({ customer: 'Acme' });
  await expect.poll(() => desktop.isFlashing()).toBe(true);
  await expect.poll(counts).toBe('2 new alerts');

  const accept = page.getByRole('button', { name: 'Accept' });
  await accept.first().click();
  // The card keeps its place for a moment.
  await expect(accept).toHaveCount(1);
  await accept.click();
  await expect.poll(() => desktop.overlay()).toBeUndefined();
  expect(await desktop.isFlashing()).toBe(false);

  await test.step('a pause stops the flashing, and nothing flashes during it', async () => {
    await desktop.blur();
    await post({ customer: 'Acme' });
    await expect.poll(() => desktop.isFlashing()).toBe(true);
    await desktop.chooseInTray('Pause notifications › For 1 hour');
    expect(await desktop.isFlashing()).toBe(false);
    await post({ customer: 'Acme' });
    await expect.poll(counts).toBe('2 new alerts');
    expect(await desktop.isFlashing()).toBe(false);
    await desktop.chooseInTray('Resume notifications');
    await post({ customer: 'Acme' });
    await expect.poll(() => desktop.isFlashing()).toBe(true);
  });

  await test.step('the overlay comes back with the taskbar button', async () => {
    await desktop.closeWindow();
    expect(await counts()).toBeUndefined();
    await post({ customer: 'Acme' });
    await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: 4 new alerts');
    await desktop.chooseInTray('Open Alertdesk');
    await expect.poll(counts).toBe('4 new alerts');
  });

  await test.step('signing out takes the count away', async () => {
    await page.getByRole('button', { name: 'admin@alertdesk.local' }).click();
    await page.getByText('Logout').click();
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
    await expect.poll(() => desktop.overlay()).toBeUndefined();
    await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: signed out');
  });

  await test.step('a session that ends by itself is said; who logs out knows', async () => {
    const titles = async () => (await desktop.notifications()).map(({ title }) => title);
    expect(await titles()).not.toContain('You are signed out');
    await signIn(page);
    await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: 4 new alerts');
    await desktop.closeWindow();
    const token = `{ '${CSRF_HEADER}': /${CSRF_COOKIE}=([^;]+)/.exec(document.cookie)[1] }`;
    await page.evaluate<unknown>(`fetch('/api/auth/logout', { method: 'POST', headers: ${token} })`);
    await expect.poll(titles).toContain('You are signed out');
    expect(await desktop.trayTip()).toBe('Alertdesk: signed out');
    await desktop.useNotification('You are signed out');
    expect(await desktop.isVisible()).toBe(true);
  });
});

test('where there is no taskbar overlay the count stands at the dock', async ({ launchSignedIn }) => {
  const { desktop, post } = await launchSignedIn({ platform: 'darwin' });
  await post({ customer: 'Acme' });
  await expect.poll(() => desktop.badgeCount()).toBe(1);
});

test('the taskbar flashes for news, also for what was missed while the connection was away, and not for the connection', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn();
  const line = await takeLine(page);
  const counts = countsOf(desktop);
  await desktop.blur();
  await lookAway(page);
  await post({ customer: 'Acme' });
  await expect.poll(counts).toBe('1 new alert');
  // The page announces only once it has fetched what announces, which is later than the count.
  await expect.poll(() => desktop.isFlashing()).toBe(true);
  await desktop.chooseInTray('Open Alertdesk');
  expect(await desktop.isFlashing()).toBe(false);
  await desktop.blur();

  await line.cut();
  await post({ customer: 'Acme' });
  line.restore();
  await expect.poll(counts).toBe('2 new alerts');
  await expect.poll(() => desktop.isFlashing()).toBe(true);
  await desktop.chooseInTray('Open Alertdesk');
  expect(await desktop.isFlashing()).toBe(false);
  await desktop.blur();

  const requests = watchRequests(page);
  await desktop.crashServer();
  await expect.poll(() => desktop.trayTip()).toBe('Alertdesk: not connected');
  await expect.poll(() => desktop.trayTip(), { timeout: 20_000 }).not.toBe('Alertdesk: not connected');
  // What was announced before is no news.
  await page.getByText('Connected', { exact: true }).waitFor({ timeout: SERVER_START });
  await requests.answered();
  await expect.poll(counts).toBe('2 new alerts');
  expect(await desktop.isFlashing()).toBe(false);

  await lookAway(page);
  await post({ customer: 'Acme' });
  await expect.poll(counts).toBe('3 new alerts');
  await expect.poll(() => desktop.isFlashing()).toBe(true);

  if (desktop.driver === 'double') {
    await test.step('the overlay comes back when Explorer has started again', async () => {
      await desktop.blur();
      const [window] = doubleOf(desktop).world.windows;
      window?.restartTaskbar();
      expect(await counts()).toBeUndefined();
      await desktop.chooseInTray('Open Alertdesk');
      await expect.poll(counts).toBe('3 new alerts');
    });
  }
});

test('badge and flashing stay while the page is loaded again', async ({ launchSignedIn }) => {
  const { desktop, page, post } = await launchSignedIn();
  const counts = countsOf(desktop);
  await post({ customer: 'Acme' });
  await expect.poll(counts).toBe('1 new alert');
  await desktop.blur();
  await lookAway(page);
  await post({ customer: 'Acme' });
  await expect.poll(() => desktop.isFlashing()).toBe(true);
  await expect.poll(counts).toBe('2 new alerts');
  await page.reload();
  expect(await counts()).toBe('2 new alerts');
  await page.getByText('Connected', { exact: true }).waitFor();
  expect(await counts()).toBe('2 new alerts');
  expect(await desktop.isFlashing()).toBe(true);
});

test('the tray icon is drawn for the scaling of the primary display, again when that changes', async ({ launch }) => {
  const display = { x: 0, y: 0, width: 1920, height: 1040 };
  const desktop = await launch({ displays: [{ ...display, scaleFactor: 1.5 }] });
  const { world } = doubleOf(desktop);
  const side = () => [...world.trays].map(({ iconSide }) => iconSide);
  await expect.poll(side).toEqual([24]);
  for (const [scaleFactor, pixels] of [
    [1, 16],
    [1.25, 20],
    [2, 32],
    [3.5, 56],
  ] as const) {
    world.screen.change([{ ...display, scaleFactor }]);
    expect(side()).toEqual([pixels]);
  }
  // The other display's scaling is its own.
  world.screen.change([
    { ...display, scaleFactor: 1.25 },
    { ...display, x: 1920, scaleFactor: 2 },
  ]);
  expect(side()).toEqual([20]);
});
