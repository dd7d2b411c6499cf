import { writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { SERVER_START, connectedPage, doubleOf, expect, lookAway, test } from './support/fixtures.ts';
import type { Page } from '@playwright/test';

/** Lets more time pass for the page than a storm of alerts lasts: the next one is announced by itself. */
const endStorm = (page: Page): Promise<void> =>
  page.evaluate<void>('{ const now = Date.now; Date.now = () => now() + 11_000; }');

test('a new alert shows a native notification when nobody looks; a click opens it, Accept accepts it, Mute customer and a pause end them', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn();
  await lookAway(page);

  const first = await post({ customer: 'Acme', alertType: 'disk' });
  await expect
    .poll(() => desktop.notifications())
    .toEqual([{ title: 'New alert received: disk', body: 'Alert from Acme', buttons: ['Accept', 'Mute customer'] }]);
  await desktop.closeWindow();
  await desktop.useNotification('New alert received: disk');
  expect(await desktop.isVisible()).toBe(true);
  await expect(page).toHaveURL(new RegExp(`/alert/${first}$`));

  await desktop.useNotification('New alert received: disk', 'Accept');
  await expect(page.getByText('Alert accepted').first()).toBeVisible();
  await expect.poll(() => desktop.overlay()).toBeUndefined();
  // What was dealt with is no news any more.
  await expect
    .poll(async () => (await desktop.notifications()).map(({ title }) => title))
    .toEqual(['Alertdesk is still running']);

  const bodies = async () =>
    (await desktop.notifications()).map(({ body }) => body).filter((text) => text.startsWith('Alert from'));
  await test.step('Mute customer ends the customer’s notifications', async () => {
    await post({ customer: 'Noisy' });
    await expect.poll(bodies).toEqual(['Alert from Noisy']);
    await desktop.useNotification('New alert received', 'Mute customer');
    await expect(page.getByText('Customer muted').first()).toBeVisible();
    await post({ customer: 'Noisy' });
    await post({ customer: 'Quiet' });
    await expect.poll(bodies).toEqual(['Alert from Noisy', 'Alert from Quiet']);
  });

  await test.step('what was shown before the page was loaded again is taken back with its alert', async () => {
    await desktop.pressKeys('CommandOrControl+1');
    await expect(page).toHaveURL(/\/$/);
    await page.reload();
    await page.getByText('Connected', { exact: true }).waitFor();
    await lookAway(page);
    await page.getByRole('article').filter({ hasText: 'Quiet' }).getByRole('button', { name: 'Accept' }).click();
    await expect.poll(bodies).toEqual(['Alert from Noisy']);
  });

  await test.step('a pause from the tray holds notifications until it is taken back', async () => {
    await endStorm(page);
    // What the app sent to the page before it answers has arrived there, too.
    const pausedUntil = () =>
      page.evaluate<unknown>('alertdesk.getNotificationState().then((state) => state.pausedUntil)');
    await desktop.chooseInTray('Pause notifications › For 1 hour');
    expect(await pausedUntil()).not.toBeNull();
    await post({ customer: 'During the pause' });
    await expect.poll(async () => (await desktop.overlay())?.description).toBe('3 new alerts');
    await desktop.chooseInTray('Resume notifications');
    expect(await pausedUntil()).toBeNull();
    await post({ customer: 'After it' });
    await expect.poll(bodies).toEqual(['Alert from Noisy', 'Alert from After it']);
  });
});

test('a pause outlives a restart, and ends by itself', async ({ launch, userData }) => {
  const pausedUntil = new Date(Date.now() + 15_000).toISOString();
  await writeFile(join(userData, 'desktop.json'), JSON.stringify({ pausedUntil }));
  const desktop = await launch();
  expect(await desktop.trayMenu()).toContain('Resume notifications');
  await expect.poll(() => desktop.trayMenu()).toContain('Pause notifications');
});

test('a notification shows what an alert says as it stands, and says whose it is; critical ones break through Do Not Disturb once the member has chosen so', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn();
  const { origin } = new URL(page.url());
  const { world } = doubleOf(desktop);
  const scenarios = () => world.notifications.map(({ shown }) => [shown?.title.split(': ')[1], shown?.scenario]);
  await test.step('what the alert says is no part of the notification’s own text', async () => {
    await lookAway(page);
    const customer = `</text><actions><action content="Pay"/></actions>&\u0001"'`;
    await post({ customer, alertType: '<b>disk</b>', severity: 'critical' });
    await expect
      .poll(() => world.notifications.map(({ shown }) => shown))
      .toMatchObject([
        {
          title: 'New alert received: <b>disk</b>',
          body: expect.stringContaining('Alert from </text><actions><action content="Pay"/></actions>&') as unknown,
          buttons: [{ content: 'Accept' }, { content: 'Mute customer' }],
          sender: 'this computer',
          scenario: undefined,
        },
      ]);
  });

  await test.step('critical alerts break through once the member has chosen so, and no others', async () => {
    await page.goto(`${origin}/settings`);
    await page.getByText('Critical alerts break through Do Not Disturb').click();
    await expect(page.getByRole('checkbox', { name: 'Critical alerts break through Do Not Disturb' })).toBeChecked();
    await page.goto(origin);
    await page.getByText('Connected', { exact: true }).waitFor();
    await lookAway(page);
    await endStorm(page);
    await post({ customer: 'Acme', alertType: 'two', severity: 'critical' });
    await post({ customer: 'Acme', alertType: 'three', severity: 'warning' });
    await expect.poll(scenarios).toEqual([
      ['<b>disk</b>', undefined],
      ['two', 'urgent'],
      ['three', undefined],
    ]);
  });

  await test.step('one older than the last fifty still opens its alert, and one that Windows cannot read blocks no others', async () => {
    const show = (tag: string, path: string) =>
      page.evaluate<boolean>(
        `alertdesk.showNotification({ tag: '${tag}', title: '${tag}', body: '', path: '${path}', silent: true, buttons: [], isCritical: false })`,
      );
    await show('first', '/my-alerts');
    const first = world.notifications.find(({ shown }) => shown?.title === 'first');
    await page.evaluate<unknown>(
      `Promise.all(Array.from({ length: 50 }, (_, index) => alertdesk.showNotification({ tag: 'n' + index, title: '', body: '', path: '/', silent: true, buttons: [], isCritical: false })))`,
    );
    // Nothing refers to it any more.
    first?.collect();
    first?.use();
    await expect(page).toHaveURL(/\/my-alerts$/);

    const status = () => page.evaluate<string>('alertdesk.getNotificationState().then(({ status }) => status)');
    world.refusesToasts = true;
    expect(await show('refused', '/')).toBe(false);
    expect(await status()).toBe('shown');
  });
});

test('Settings says what Windows refuses: notifications, which appear as toasts, a shortcut that is taken, and what sharing on the network exposes', async ({
  launchSignedIn,
}) => {
  const { desktop, page, post } = await launchSignedIn({
    notificationsBlocked: true,
    takenShortcuts: ['Control+Alt+B'],
  });
  await test.step('notifications that Windows refuses appear as toasts', async () => {
    await lookAway(page);
    await post({ customer: 'Acme' });
    await expect(page.getByText('New alert received').first()).toBeVisible();
    await page.goto(`${new URL(page.url()).origin}/settings`);
    await expect(page.getByText('Windows blocks notifications from this app.')).toBeVisible();
    await page.getByRole('button', { name: 'Open settings' }).click();
    await expect.poll(() => desktop.openedOutside()).toEqual(['ms-settings:notifications']);
  });

  await test.step('a shortcut from anywhere brings the window up; one that is taken is refused in words', async () => {
    const field = page.getByRole('button', { name: 'Global shortcut' });
    await field.click();
    await page.keyboard.press('Control+Alt+B');
    await expect(page.getByText('Control + Alt + B is used by another program.').first()).toBeVisible();
    await field.click();
    await page.keyboard.press('Control+Alt+A');
    await expect(page.getByText('Ctrl+Alt+A')).toBeVisible();
    await desktop.closeWindow();
    await desktop.pressGlobalKeys('Control+Alt+A');
    expect(await desktop.isVisible()).toBe(true);
  });

  await test.step('sharing on the network is off until it is switched on', async () => {
    await page.getByRole('button', { name: 'Change server…' }).click();
    const share = page.getByRole('checkbox', { name: 'Share on this network' });
    await expect(share).not.toBeChecked();
    await expect(share).toHaveAccessibleDescription(/Anyone on your network can then open the sign-in page/);
    await page.getByText('Share on this network').click();
    await expect(share).toBeChecked();
    const addresses = page.getByRole('list', { name: 'Addresses for others' }).getByRole('listitem');
    const outside = Object.values(networkInterfaces())
      .flat()
      .filter((address) => address?.family === 'IPv4' && !address.internal);
    if (outside.length === 0) test.info().annotations.push({ type: 'no network', description: 'No address is shown.' });
    await expect(addresses).toHaveCount(outside.length);
    for (const address of await addresses.allTextContents()) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
    }
    await page.getByRole('button', { name: 'Keep using this computer' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
  });
});

test('a notification that outlived the app opens its alert, and its button still works', async ({
  launch,
  launchSignedIn,
}) => {
  const { desktop: first, page, post } = await launchSignedIn();
  await lookAway(page);
  const id = await post({ customer: 'Acme' });
  await expect.poll(() => first.notifications()).toHaveLength(1);
  const [notification] = doubleOf(first).world.notifications;
  const [clicked, accepted] = [notification?.handsBack(), notification?.handsBack('Accept')];
  if (!clicked || !accepted) throw new Error('There is no notification.');
  await first.quit();

  const second = await launch();
  doubleOf(second).world.activation?.(clicked);
  await expect(await second.page()).toHaveURL(new RegExp(`/alert/${id}$`), { timeout: SERVER_START });
  await second.quit();

  const third = await launch();
  doubleOf(third).world.activation?.(accepted);
  await expect((await connectedPage(third)).getByText('Alert accepted').first()).toBeVisible();
});

test('the app says to Windows whose notifications these are', async ({ launch, userData }) => {
  const { app } = doubleOf(await launch({ resourcesPath: join(userData, 'resources') })).world;
  expect(app.appUserModelId).toBe('com.alertdesk.desktop');
  expect(app.toastActivator).toMatch(/^\{[\dA-F-]{36}\}$/);
});
