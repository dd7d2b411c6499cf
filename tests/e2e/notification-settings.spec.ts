import {
  countShown,
  lookAt,
  lookAway,
  notifications,
  setPermission,
  shownByPage,
  workerActive,
} from './support/browser-device.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { connected, toast } from './support/screen.ts';

const SETTINGS = '/api/notification-settings';

/** Has the browser refuse sounds, or leave the page waiting for its consent for good. */
const sounds = (answer: 'refused' | 'pending'): string => `
  Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: ${answer === 'pending'} } });
  Object.defineProperty(AudioContext.prototype, 'state', { get: () => 'suspended' });
  AudioContext.prototype.resume = () => new Promise(() => {});
  window.silent = [];
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = function (title, options) {
    window.silent.push(options.silent);
    return show.call(this, title, options);
  };
`;

for (const answer of ['refused', 'pending'] as const) {
  test(`where our sound is ${answer}, the notification has the system's, and announcements go on`, async ({
    app,
    openAs,
    mara,
  }) => {
    const { client } = await queueOf(app, mara);
    await client.request('PUT', `${SETTINGS}/sounds`, { alertType: 'disk.full', sound: 'ping' });
    const page = await openAs(mara, '/login');
    await page.addInitScript(sounds(answer));
    await page.goto('/');
    await setPermission(page, app.url.origin, 'granted');
    await expect(page.getByRole('switch', { name: 'Notifications On' })).toBeChecked();
    await connected(page);
    await workerActive(page);
    await lookAway(page);
    expect(await notifications(page)).toEqual([]);
    for (const customer of ['Atlas Freight', 'Brightwater']) await app.post({ customer, type: 'disk.full' });
    await expect.poll(async () => (await notifications(page)).length).toBe(2);
    expect(await page.evaluate('window.silent')).toEqual([null, null]);
  });
}

test('where no notification can be shown, the toast waits behind other windows, and has its five seconds when the person comes back', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/my-alerts');
  await countShown(page);
  await page.reload();
  await connected(page);
  await workerActive(page);
  await page.clock.install();
  await lookAway(page);
  await app.post({ customer: 'Atlas Freight' });
  await expect(toast(page)).toContainText('Alert from Atlas Freight');
  await page.clock.runFor(60_000);
  await expect(toast(page)).toContainText('Alert from Atlas Freight');
  await lookAt(page);
  await page.clock.runFor(6000);
  await expect(toast(page)).toHaveCount(0);
  expect(await shownByPage(page)).toBe(0);
});
