import type { Page } from '@playwright/test';
import { expectAccessible, findings, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, goWithin } from './support/screen.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const customers = (page: Page) => panel(page, 'Customer Notification Preferences');
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

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

test('cards stand apart in comfortable mode, which is remembered; Settings is accessible with much in it in both themes', async ({
  app,
  openAs,
}) => {
  for (const customer of ['Second', 'First'])
    await app.post({ customer, host: 'db-7', region: 'eu', load: 3, unit: 'x' });
  const page = await openAs(ADMINISTRATOR);
  const distance = async (): Promise<number> => {
    const [one, other] = [await card(page, 'First').boundingBox(), await card(page, 'Second').boundingBox()];
    return (other?.y ?? 0) - (one?.y ?? 0);
  };
  await expect.poll(distance).toBe(64);
  await goWithin(page, '/settings');
  const density = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Density' });
  await expect(density.getByRole('radio', { name: 'Dense' })).toBeChecked();
  await density.getByRole('radio', { name: 'Comfortable' }).click();
  await page.goto('/');
  await expect.poll(distance).toBe(112 + 8);
  expect((await card(page, 'First').boundingBox())?.height).toBe(112);
  const select = page.locator('label', { has: page.getByRole('checkbox', { name: 'Select' }) });
  await expect(select.first()).toHaveCSS('border-top-width', '0px');
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await goWithin(page, '/settings');
  await density.getByRole('radio', { name: 'Dense' }).click();
  await goWithin(page, '/');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(distance).toBe(64);

  // With much in it.
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
