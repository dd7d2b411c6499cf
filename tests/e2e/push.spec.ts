import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { notificationSettingsSchema } from '#backend/contract/notification-settings.ts';
import { type PushMessage, pushDeviceSchema } from '#backend/contract/push.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import type { Device } from '#tests/support/push-service.ts';
import { TEST_PASSWORD } from '#tests/support/test-server.ts';
import { expectAccessible, findings } from './support/axe.ts';
import {
  answerPrompt,
  countShown,
  deliverPush,
  lookAway,
  notifications,
  setPermission,
  shownByPage,
} from './support/browser-device.ts';
import { expect } from './support/fixtures.ts';
import { type Pushing, test } from './support/pushing.ts';
import { BESIDE_THE_APP, toast } from './support/screen.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Push Notifications' });
const enable = (page: Page) => panel(page).getByRole('button', { name: 'Enable Push Notifications' });
const lastOf = ({ messages }: Device): PushMessage => {
  const last = messages.at(-1);
  if (!last) throw new Error('No push came.');
  return last;
};
const subscribed = async ({ server, mara }: Pushing): Promise<number> => {
  // Another session of the same member's.
  const other = server.anonymous();
  for (const [name, value] of mara.cookies) other.cookies.set(name, value);
  return z.array(pushDeviceSchema).parse(await (await other.get('/api/push/subscriptions')).json()).length;
};

test('push takes the whole path: from the webhook to the notification, and away when the alert is accepted', async ({
  pushing,
}) => {
  const { server, device, apiKey, openSettings } = pushing;
  const page = await openSettings('prompt');
  await expect(panel(page)).toContainText('Not enabled');
  await answerPrompt(page, new URL(server.url).origin, 'granted');
  await countShown(page);
  await page.reload();
  await enable(page).click();
  await expect(toast(page)).toContainText('Push notifications enabled');
  await expect(panel(page)).toContainText('Enabled');
  await expect(panel(page)).toContainText('Active');
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect(enable(page)).toHaveCount(0);

  await lookAway(page);
  const { id } = await server.anonymous().postAlert(apiKey, { customer: 'Nordwind', type: 'disk.full' });
  await expect.poll(() => device.messages.map(({ type }) => type)).toEqual(['new_alert']);
  // The page leaves it to the push.
  await expect(page).toHaveTitle('(1) Alertdesk');
  expect(await notifications(page)).toEqual([]);
  await deliverPush(page, lastOf(device));
  const shown = { title: 'New alert received: disk.full', body: 'Alert from Nordwind', tag: tagOfAlert(id) };
  await expect.poll(() => notifications(page)).toEqual([shown]);

  // An open page receives it by itself, and no push is needed.
  const ben = await server.signedIn();
  expect((await ben.send('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
  await expect.poll(() => notifications(page)).toEqual([]);
  expect(await shownByPage(page)).toBe(0);

  // Without a page of the app, the worker is sent the push.
  await page.goto(BESIDE_THE_APP);
  const next = await server.anonymous().postAlert(apiKey, { customer: 'Atlas' });
  await expect.poll(() => device.messages.map(({ type }) => type)).toEqual(['new_alert', 'new_alert']);
  await deliverPush(page, lastOf(device));
  await expect.poll(() => notifications(page)).toHaveLength(1);
  await ben.send('POST', `/api/alerts/${next.id}/accept`);
  await expect
    .poll(() => device.messages.map(({ type }) => type))
    .toEqual(['new_alert', 'new_alert', 'alert_withdrawn']);
  await deliverPush(page, lastOf(device));
  await expect.poll(() => notifications(page)).toEqual([]);
});

test('each failure is reported with its real cause, a denied permission too', async ({ pushing }) => {
  const { server, openSettings } = pushing;
  const page = await openSettings('prompt');
  const { origin } = new URL(server.url);
  await answerPrompt(page, origin, 'denied', 'granted');
  await page.reload();
  await enable(page).click();
  await expect(toast(page)).toContainText('Permission denied');
  await expect(panel(page)).toContainText('Blocked');
  await expect(enable(page)).toHaveCount(0);

  const start = 'Unable to enable push notifications. ';
  const failsWith = async (cause: string): Promise<void> => {
    await setPermission(page, origin, 'prompt');
    await page.evaluate("localStorage.removeItem('notifications-enabled')");
    await page.reload();
    await enable(page).click();
    await expect(toast(page)).toContainText('Failed to enable notifications');
    await expect(toast(page)).toContainText(start + cause);
  };

  await page.evaluate("localStorage.setItem('push-service-fails', '1')");
  await failsWith('Failed to create push subscription. Please check browser settings.');
  // One thing at a time.
  await expect(panel(page)).toContainText('Not enabled');
  await expect(panel(page).getByText('Active', { exact: true })).toHaveCount(0);
  await expect(panel(page).getByRole('alert')).toContainText('push service error');
  expect(await findings(page)).toEqual([]);
  await page.evaluate("localStorage.removeItem('push-service-fails')");

  await page.route('**/api/push/subscribe', (route) => route.fulfill({ status: 503, body: 'Away.' }));
  await failsWith('Failed to save subscription to server. Please try again.');
  await expect(panel(page).getByRole('alert')).toContainText('Failed to send subscription to server: Away.');
  await page.unroute('**/api/push/subscribe');
  await panel(page).getByRole('button', { name: 'Try again' }).click();
  await expect(panel(page).getByRole('alert')).toHaveCount(0);
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);

  await page.route('**/api/push/vapid-public-key', (route) => route.fulfill({ status: 500, body: 'No key.' }));
  await failsWith('No key.');
  await page.unroute('**/api/push/vapid-public-key');

  await page.addInitScript(
    "navigator.serviceWorker.register = () => Promise.reject(new TypeError('The script has an unsupported MIME type.'))",
  );
  await failsWith('Service worker registration failed. Check browser compatibility.');
});

test('what is permitted but not subscribed, or subscribed with another key, is made up for; the subscription ends with signing out or switched off, and is sent again', async ({
  pushing,
}) => {
  const { server } = pushing;
  const member = await server.addUser();
  const page = await pushing.openSettings('granted');
  await expect.poll(() => subscribed(pushing)).toBe(1);
  const key = () => page.evaluate("localStorage.getItem('push-service')");
  const right = await key();
  await page.evaluate("localStorage.setItem('push-service', JSON.stringify([4, ...Array(64).fill(1)]))");
  await page.reload();
  await expect.poll(key).toBe(right);
  await expect(panel(page).getByRole('alert')).toHaveCount(0);
  const endpoint = await page.evaluate(
    'navigator.serviceWorker.ready.then((r) => r.pushManager.getSubscription()).then((s) => s.endpoint)',
  );
  const logout = async () => {
    await page.locator('.user-menu__user').click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page).toHaveURL('/login');
  };
  await logout();
  const rows = async () =>
    Number((await server.database.reads.query('SELECT COUNT(*) AS n FROM push_subscriptions'))[0].n);
  await expect.poll(rows).toBe(0);
  await page.getByLabel('Email', { exact: true }).fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect.poll(rows).toBe(1);
  expect(
    await page.evaluate(
      'navigator.serviceWorker.ready.then((r) => r.pushManager.getSubscription()).then((s) => s.endpoint)',
    ),
  ).toBe(endpoint);

  await page.goto('/');
  await page.getByRole('switch', { name: 'Notifications On' }).press('Space');
  await expect.poll(rows).toBe(0);
  await page.goto('/settings');
  await expect(panel(page)).toContainText('Notifications are turned off in this browser.');
  await panel(page).getByRole('button', { name: 'Turn on' }).click();
  await expect.poll(rows).toBe(1);
});

test('a test notification takes the whole path, or says which step failed', async ({ pushing }) => {
  const { device, openSettings, server } = pushing;
  const page = await openSettings('granted');
  const send = panel(page).getByRole('button', { name: 'Send me a test notification' });
  const steps = panel(page).getByRole('list', { name: 'Test notification' }).getByRole('listitem');
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'This browser' })).toHaveCount(1);
  await send.click();
  await expect.poll(() => device.messages.map(({ type }) => type)).toEqual(['test']);
  await expect(steps).toHaveCount(6);
  await deliverPush(page, lastOf(device));
  await expect(steps.last()).toContainText('Arrival');
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(6);
  expect(await findings(page)).toEqual([]);

  device.answers.push(500);
  await send.click();
  await expect(steps).toHaveCount(5);
  await expect(steps.last()).toContainText('Push service');
  await expect(steps.last().getByRole('img', { name: 'Failed' })).toBeVisible();
  await page.screenshot({ path: 'test-results/push-test.png' });

  await page.clock.install();
  await send.click();
  await expect(steps.last()).toContainText('Arrival');
  await page.clock.runFor(11_000);
  await expect(steps.last()).toContainText('it did not arrive here within 10 seconds');

  await setPermission(page, new URL(server.url).origin, 'denied');
  await send.click();
  await expect(steps).toHaveCount(1);
  await expect(steps.last()).toContainText('Notifications are blocked in your browser settings.');
});

test('devices are listed and removed, quiet hours are set by keyboard, and the panels are accessible in both themes', async ({
  pushing,
}) => {
  const { service, server, openSettings, apiKey, mara } = pushing;
  await server.anonymous().postAlert(apiKey, { customer: 'Nordwind', type: 'disk.full' });
  const windows =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  const elsewhere = server.anonymous();
  await elsewhere.signIn(`${mara.id}@example.com`, TEST_PASSWORD);
  await service.subscribe(elsewhere, { 'User-Agent': windows });
  const page = await openSettings('granted');
  const quiet = page.getByRole('region', { name: 'Quiet Hours' });
  await quiet.getByRole('switch', { name: 'Weekly quiet hours' }).press('Space');
  await quiet.getByRole('button', { name: 'Sunday' }).press('Enter');
  await quiet.getByLabel('From').fill('21:30');
  await quiet.getByLabel('To').fill('06:15');
  await quiet.getByLabel('Time zone').selectOption('Europe/Berlin');
  await expect
    .poll(
      async () =>
        notificationSettingsSchema.parse(await (await mara.get('/api/notification-settings')).json()).quietHours,
    )
    .toEqual({
      isOn: true,
      days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat'],
      from: '21:30',
      to: '06:15',
      timeZone: 'Europe/Berlin',
    });
  await quiet.getByRole('button', { name: 'Pause for 1 hour' }).press('Enter');
  await expect(quiet).toContainText('Paused until');
  await page.screenshot({ path: 'test-results/settings.png', fullPage: true });
  await quiet.getByRole('button', { name: 'Resume' }).press('Enter');
  await expect(quiet.getByRole('button', { name: 'Pause until tomorrow' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.locator('main').evaluate((main) => ((main as { style: { height: string } }).style.height = '2600px'));
  await page.setViewportSize({ width: 360, height: 2700 });
  await page.screenshot({ path: 'test-results/settings-narrow.png' });

  await page.setViewportSize({ width: 1440, height: 900 });
  const devices = panel(page).getByRole('list', { name: 'Devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(2);
  await expect(devices.filter({ hasText: 'Chrome on Windows' })).toHaveCount(1);
  await devices.filter({ hasText: 'Chrome on Windows' }).getByRole('button').click();
  await expect(devices).toHaveCount(1);
  await devices.getByRole('button').click();
  await expect(panel(page)).toContainText('Notifications are turned off in this browser.');
  await expect
    .poll(async () => Number((await server.database.reads.query('SELECT COUNT(*) AS n FROM push_subscriptions'))[0].n))
    .toBe(0);
});
