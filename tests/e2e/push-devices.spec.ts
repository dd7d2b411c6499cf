import type { Page } from '@playwright/test';
import * as z from 'zod/mini';
import { type PushMessage, pushDeviceSchema } from '#backend/contract/push.ts';
import { TEST_PASSWORD } from '#tests/support/test-server.ts';
import { deliverPush, workerOf } from './support/browser-device.ts';
import { expect } from './support/fixtures.ts';
import { type Pushing, test } from './support/pushing.ts';
import { BESIDE_THE_APP, connected, toast } from './support/screen.ts';

const panel = (page: Page) => page.getByRole('region', { name: 'Push Notifications' });
const deviceRows = (page: Page) => panel(page).getByRole('list', { name: 'Devices' }).getByRole('listitem');
const devicesOf = async ({ mara }: Pushing) =>
  z.array(pushDeviceSchema).parse(await (await mara.get('/api/push/subscriptions')).json());
const hasSubscription = (page: Page) =>
  page.evaluate(
    'navigator.serviceWorker.ready.then((r) => r.pushManager.getSubscription()).then((found) => found !== null)',
  );

test('a device that was removed on another one stays removed, says why, and is switched on again by hand', async ({
  pushing,
}) => {
  const { server, service, mara, openSettings, openBrowser } = pushing;
  const removed = await openSettings('granted');
  const elsewhere = server.anonymous();
  await elsewhere.signIn(`${mara.id}@example.com`, TEST_PASSWORD);
  const { device, keys } = service.enrol();
  const subscribing = { endpoint: device.endpoint, keys };
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
  const other = await openBrowser(elsewhere, { permission: 'granted', path: '/settings', subscribing });
  const removeTheOther = async () => {
    await expect(deviceRows(other)).toHaveCount(2);
    await deviceRows(other).filter({ hasNotText: 'This browser' }).getByRole('button').click();
    await expect(deviceRows(other)).toHaveCount(1);
  };
  await removeTheOther();

  await removed.goto('/');
  await expect(toast(removed)).toContainText('Notifications turned off');
  await expect(toast(removed)).toContainText('This browser was removed from your devices.');
  const toggle = removed.getByRole('switch', { name: /^Notifications/ });
  await expect(toggle).not.toBeChecked();
  await expect.poll(() => hasSubscription(removed)).toBe(false);
  expect(await removed.evaluate("localStorage.getItem('notifications-enabled')")).toBe('false');
  expect(await devicesOf(pushing)).toHaveLength(1);

  // The other one stands through all that, and is not sent again.
  const sent: string[] = [];
  other.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await other.reload();
  await connected(other);
  await expect(deviceRows(other).filter({ hasText: 'This browser' })).toHaveCount(1);
  await expect.poll(() => sent).toContain('GET /api/push/vapid-public-key');
  await removed.goto('/settings');
  await expect(panel(removed)).toContainText('Notifications are turned off in this browser.');
  await panel(removed).getByRole('button', { name: 'Turn on' }).click();
  await expect(deviceRows(removed)).toHaveCount(2);
  expect(await hasSubscription(removed)).toBe(true);
  expect(sent).not.toContain('POST /api/push/subscribe');

  // Where the card is on the screen it says so, too, and switches on, also while the live connection is away.
  await other.reload();
  await removeTheOther();
  await removed.routeWebSocket(/\/ws\?/, (socket) => void socket.close({ code: 1012 }));
  await removed.reload();
  await expect(panel(removed)).toContainText('This browser was removed from your devices.');
  await removed.screenshot({ path: 'test-results/push-removed.png' });
  await panel(removed).getByRole('button', { name: 'Turn on' }).click();
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(2);
});

test('switched off and on again before the server has answered, the pushes go on', async ({ pushing }) => {
  const page = await pushing.openSettings('granted');
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
  await page.goto('/');
  await connected(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/push/subscribe', async (route) => {
    if (route.request().method() === 'DELETE') await released;
    await route.continue();
  });
  const ending = page.waitForRequest((request) => request.method() === 'DELETE');
  const toggle = page.getByRole('switch', { name: /^Notifications/ });
  await toggle.press('Space');
  await ending;
  await toggle.press('Space');
  await expect(toggle).toBeChecked();
  const sent = page.waitForResponse((response) => response.request().method() === 'POST');
  release();
  await sent;
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
  expect(await hasSubscription(page)).toBe(true);
});

test('a test notification arrives where pushes are switched off, and leaves them off', async ({ pushing }) => {
  const { device, openSettings } = pushing;
  const page = await openSettings('granted');
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
  await page.goto('/');
  await connected(page);
  await page.getByRole('switch', { name: 'Notifications On' }).press('Space');
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(0);
  await page.goto('/settings');
  await panel(page).getByRole('button', { name: 'Send me a test notification' }).click();
  await expect.poll(() => device.messages.map(({ type }) => type)).toEqual(['test']);
  await deliverPush(page, device.messages[0] as PushMessage);
  const steps = panel(page).getByRole('list', { name: 'Test notification' });
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(6);
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(0);
  expect(await hasSubscription(page)).toBe(false);
  await expect(deviceRows(page)).toHaveCount(0);
  await expect(panel(page)).toContainText('Notifications are turned off in this browser.');
});

test('a subscription that the browser replaced is sent by the worker, without a page, by its newSubscription and by its oldSubscription', async ({
  pushing,
}) => {
  const { server, service, device, apiKey, openSettings } = pushing;
  const page = await openSettings('granted');
  await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
  await page.goto(BESIDE_THE_APP);
  const worker = await workerOf(page.context());
  let before = device;
  for (const given of ['newSubscription', 'oldSubscription'] as const) {
    const renewed = service.enrol();
    const json = { endpoint: renewed.device.endpoint, expirationTime: null, keys: renewed.keys };
    // Untrusted, it cannot be waited for; the worker does its work all the same.
    await worker.evaluate(`{
      const subscription = { toJSON: () => (${JSON.stringify(json)}), options: { applicationServerKey: 'the key of before' } };
      PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
        if (applicationServerKey !== 'the key of before') throw new Error('Another key: ' + applicationServerKey);
        return subscription;
      };
      self.dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), { ${given}: subscription }));
    }`);
    await expect.poll(async () => (await devicesOf(pushing)).length).toBe(2);
    // The one of before has ended, as the push service reports.
    before.answers.push(410);
    await server.anonymous().postAlert(apiKey, { customer: 'Nordwind' });
    await expect.poll(() => renewed.device.messages.map(({ type }) => type)).toEqual(['new_alert']);
    await expect.poll(async () => (await devicesOf(pushing)).length).toBe(1);
    before = renewed.device;
  }
});
