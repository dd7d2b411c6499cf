import type { Page } from '@playwright/test';
import type { AppServer } from './support/app-server.ts';
import { expectAccessible, findings, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, card, toast } from './support/screen.ts';

// A server of its own: of the hundreds of customers that other tests name, only those in view would be drawn.
test.use({ environment: { LOG_LEVEL: 'warn' } });

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const customers = (page: Page) => panel(page, 'Customer Notification Preferences');
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const checkbox = (page: Page, name: string) => page.getByRole('checkbox', { name });

/** Answers of the lists that settings are made of, where a test needs others than the server's. */
async function pretend(page: Page, lists: { customers: string[]; types: string[] }): Promise<void> {
  const seen = lists.customers.map((name, index) => ({
    id: `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`,
    name,
    lastSeenAt: '2025-11-21T21:42:00.000Z',
  }));
  await page.route('**/api/customers', (route) => route.fulfill({ json: seen }));
  await page.route('**/api/alert-types', (route) => route.fulfill({ json: lists.types }));
}

const post = (app: AppServer, names: string[]) =>
  Promise.all(names.map((customer) => app.post({ customer, type: 'settings.changed' })));

test('Settings opens from the user menu', async ({ openAs, mara }) => {
  const page = await openAs(mara);
  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('the theme follows the choice, and the choice is remembered', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/settings', { colorScheme: 'light' });
  const html = page.locator('html');
  const theme = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Theme' });
  await expect(theme.getByRole('radio', { name: 'System' })).toBeChecked();
  await theme.getByRole('radio', { name: 'Dark' }).click();
  await expect(html).toHaveClass(/bp6-dark/);
  await page.reload();
  await expect(html).toHaveClass(/bp6-dark/);
  await expect(theme.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await theme.getByRole('radio', { name: 'Light' }).click();
  await expect(html).not.toHaveClass(/bp6-dark/);
});

test('cards stand apart in comfortable mode, which is remembered', async ({ app, openAs }) => {
  for (const customer of ['Second', 'First'])
    await app.post({ customer, host: 'db-7', region: 'eu', load: 3, unit: 'x' });
  const page = await openAs(ADMINISTRATOR);
  const distance = async (): Promise<number> => {
    const [one, other] = [await card(page, 'First').boundingBox(), await card(page, 'Second').boundingBox()];
    return (other?.y ?? 0) - (one?.y ?? 0);
  };
  await expect.poll(distance).toBe(73);
  await page.goto('/settings');
  const density = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Density' });
  await expect(density.getByRole('radio', { name: 'Dense' })).toBeChecked();
  await density.getByRole('radio', { name: 'Comfortable' }).click();
  await page.goto('/');
  await expect.poll(distance).toBe(112 + 8);
  expect((await card(page, 'First').boundingBox())?.height).toBe(112);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.reload();
  await page.goto('/settings');
  await density.getByRole('radio', { name: 'Dense' }).click();
  await page.goto('/');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(distance).toBe(73);
});

test('Z is switched off for who speaks to the device, and stays off', async ({ app, openAs }) => {
  await app.post({ customer: 'First' });
  const page = await openAs(ADMINISTRATOR, '/settings');
  const undoKey = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Single-key shortcuts' });
  await expect(undoKey.getByRole('radio', { name: 'On' })).toBeChecked();
  await undoKey.getByRole('radio', { name: 'Off' }).click();
  await page.goto('/');
  await card(page, 'First').getByRole('button', { name: 'Accept' }).click();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveText('Undo');
  await page.keyboard.press('z');
  await page.keyboard.press('Z');
  await undo.click();
  await expect(card(page, 'First')).toBeVisible();

  await page.goto('/settings');
  await undoKey.getByRole('radio', { name: 'On' }).click();
  await page.goto('/');
  await card(page, 'First').getByRole('button', { name: 'Accept' }).click();
  await expect(undo).toHaveText('UndoZ');
  await page.keyboard.press('z');
  await expect(card(page, 'First')).toBeVisible();
});

test('the cards of a muted customer carry a sleeping bell', async ({ app, openAs, mara }) => {
  await post(app, ['Quayside Ferries', 'Harbour Lights']);
  const page = await openAs(mara, '/settings');
  await checkbox(page, 'Quayside Ferries').press('Space');
  await expect(toast(page)).toContainText('Customer muted');
  await page.goto('/');
  await expect(card(page, 'Quayside Ferries').getByText('Muted', { exact: true })).toHaveCount(1);
  await expect(card(page, 'Harbour Lights').getByText('Muted', { exact: true })).toHaveCount(0);
});

test('Settings is accessible with much in it in both themes', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/');
  const long = [
    'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة',
    `Donau${'dampfschiff'.repeat(12)}`,
    '🚨🔥 & Co',
  ];
  const many = Array.from({ length: 20 }, (_, index) => `Customer ${index}`);
  await pretend(page, { customers: [...long, ...many], types: [...long, 'disk.full'] });
  await page.route('**/api/alert-types/mutes', (route) => route.fulfill({ json: long }));
  await page.goto('/settings');
  await expect(customers(page).getByRole('checkbox')).toHaveCount(23);
  await expectAccessible(page);
  await customers(page).getByRole('searchbox').fill('nobody');
  expect(await findingsInThemes(page)).toEqual([]);
  await expect(row(page, 'disk.full')).toContainText('enabled');
});
