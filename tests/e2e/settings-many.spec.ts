import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const customers = (page: Page) => panel(page, 'Customer Notification Preferences');
const checkbox = (page: Page, name: string) => page.getByRole('checkbox', { name });

const rows = (names: string[]) =>
  names.map((name, index) => ({
    id: `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`,
    name,
    lastSeenAt: '2025-11-21T21:42:00.000Z',
  }));
const many = (name: string) => Array.from({ length: 20_000 }, (_, index) => `${name} ${index}`);

/** Answers of the lists that settings are made of, where a test needs others than the server's. */
async function pretend(page: Page, lists: { customers: string[]; types: string[] }): Promise<void> {
  await page.route('**/api/customers', (route) => route.fulfill({ json: rows(lists.customers) }));
  await page.route('**/api/alert-types', (route) => route.fulfill({ json: lists.types }));
}

test('three hundred customers are listed, and found while typing; twenty thousand cost no more than those in view', async ({
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  await pretend(page, { customers: Array.from({ length: 300 }, (_, index) => `Customer ${index}`), types: [] });
  await page.goto('/settings');
  await expect(customers(page).getByRole('listitem').first()).toHaveAttribute('aria-setsize', '300');
  await expect(customers(page).getByRole('checkbox').nth(10)).toHaveAccessibleName('Customer 10');
  await checkbox(page, 'Customer 0').focus();
  // Rows are drawn as the focus comes near them.
  for (let next = 1; next < 60; next += 1) {
    await page.getByRole('checkbox', { name: `Customer ${next}`, exact: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Tab');
  }
  await expect(checkbox(page, 'Customer 59')).toBeFocused();
  await customers(page).getByRole('searchbox').pressSequentially('customer 29');
  await expect(customers(page).getByRole('checkbox')).toHaveCount(11);

  await pretend(page, { customers: many('Customer'), types: many('type') });
  await page.reload();
  await expect(checkbox(page, 'Customer 3')).toBeVisible();
  await expect(checkbox(page, 'type 3')).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
  await customers(page)
    .getByRole('list')
    .evaluate((list) => list.parentElement?.scrollTo({ top: 1e9 }));
  await expect(checkbox(page, 'Customer 19999')).toBeVisible();
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(3000);
});
