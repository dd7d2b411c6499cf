import type { Page } from '@playwright/test';
import { findings } from './support/axe.ts';
import { answerPrompt, setPermission } from './support/browser-device.ts';
import { expect, test } from './support/fixtures.ts';
import { connected, navigation, toast } from './support/screen.ts';

const toggle = (page: Page) => page.getByRole('switch', { name: /^Notifications/ });
const stored = (page: Page) => page.evaluate("localStorage.getItem('notifications-enabled')");

test('the first load of the inbox asks for permission, once, and notes that it was granted', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/settings');
  const prompt = await answerPrompt(page, app.url.origin, 'granted');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(prompt.asked).toBe(0);
  await page.goto('/');
  await expect(toggle(page)).toBeChecked();
  await expect(toggle(page)).toHaveAccessibleName('Notifications On');
  await expect.poll(() => stored(page)).toBe('true');
  await page.reload();
  await expect(toggle(page)).toBeChecked();
  expect(prompt.asked).toBe(1);
});

test('the switch asks again when the first question was passed over, and says what it did', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/settings');
  const prompt = await answerPrompt(page, app.url.origin, 'prompt', 'granted');
  // The browser's first question stands until the test ends it.
  await page.addInitScript(`
    const ask = Notification.requestPermission;
    Notification.requestPermission = async () => {
      Notification.requestPermission = ask;
      void ask();
      await new Promise((resolve) => { window.endFirstQuestion = resolve; });
      return Notification.permission;
    };
  `);
  await page.goto('/');
  await expect(toggle(page)).toHaveAccessibleName('Notifications Off');
  await expect.poll(() => prompt.asked).toBe(1);
  expect(await stored(page)).toBeNull();
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Notifications enabled');
  await expect(toggle(page)).toBeChecked();
  expect(prompt.asked).toBe(2);
  await expect.poll(() => stored(page)).toBe('true');
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Notifications disabled');
  await expect(toggle(page)).toHaveAccessibleName('Notifications Off');
  expect(await stored(page)).toBe('false');
  // What was switched off since stays off.
  await page.evaluate('window.endFirstQuestion()');
  expect(await stored(page)).toBe('false');
  await page.reload();
  await expect(toggle(page)).not.toBeChecked();
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Notifications enabled');
  await expect.poll(() => stored(page)).toBe('true');
});

test('where notifications are switched off, nobody is asked; switched on, they are', async ({ app, openAs, mara }) => {
  const page = await openAs(mara, '/settings');
  await page.evaluate("localStorage.setItem('notifications-enabled', 'false')");
  const prompt = await answerPrompt(page, app.url.origin, 'granted');
  await page.goto('/');
  await connected(page);
  await expect(toggle(page)).not.toBeChecked();
  expect(prompt.asked).toBe(0);
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Notifications enabled');
  expect(prompt.asked).toBe(1);
});

test('a permission that was granted before counts as switched on', async ({ app, openAs, mara }) => {
  const page = await openAs(mara, '/my-alerts');
  await setPermission(page, app.url.origin, 'granted');
  expect(await stored(page)).toBeNull();
  await page.goto('/');
  await expect(toggle(page)).toBeChecked();
  await expect.poll(() => stored(page)).toBe('true');
});

test('blocked notifications are shown as such', async ({ app, openAs, mara }) => {
  const page = await openAs(mara, '/settings');
  await setPermission(page, app.url.origin, 'denied');
  await page.goto('/');
  await expect(toggle(page)).not.toBeChecked();
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Permission denied');
  await expect(toast(page)).toContainText("You've blocked notifications. Please enable them in your browser settings");
  expect(await findings(page)).toEqual([]);
  await page.goto('/settings');
  await expect(page.getByRole('region', { name: 'Push Notifications' })).toContainText('Blocked');
});

test('a browser without notifications says so', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/settings');
  await page.addInitScript('delete window.Notification');
  await page.goto('/');
  await toggle(page).press('Space');
  await expect(toast(page)).toContainText('Not supported');
  await expect(toast(page)).toContainText('Desktop notifications are not supported in your browser');
  await page.goto('/settings');
  await expect(page.getByRole('region', { name: 'Quiet Hours' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Push Notifications' })).toHaveCount(0);
});

/** Counts how often the page asks the browser what it permits, for which it waits each time. */
const COUNT_READS = `
  window.reads = 0;
  const { get } = Object.getOwnPropertyDescriptor(Notification, 'permission');
  Object.defineProperty(Notification, 'permission', { get: () => { window.reads += 1; return get.call(Notification); } });
`;

test('the permission is not read at every render', async ({ app, openAs, mara }) => {
  const page = await openAs(mara, '/my-alerts');
  // Else the inbox asks, and reads what was answered, whenever that is.
  await setPermission(page, app.url.origin, 'granted');
  await page.goto('/');
  await connected(page);
  await expect(toggle(page)).toBeVisible();
  await page.evaluate(COUNT_READS);
  await navigation(page, 'My Alerts').click();
  await expect(page.getByRole('heading', { name: 'My Alerts', level: 1 })).toBeVisible();
  await navigation(page, 'New Alerts').click();
  await expect(toggle(page)).toBeVisible();
  expect(await page.evaluate('reads')).toBe(0);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  expect(await page.evaluate('reads')).toBeGreaterThan(0);
});
