import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected } from './support/screen.ts';

/** A view's row in the sidebar: its name, whether it is shared, its count. */
const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Views' }).getByRole('link', { name, exact: false });

test('a search is saved as a view with a live count, changed, and deleted with undo', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk full on db-7', severity: 'critical' });
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk slow on db-8', severity: 'warning' });
  await app.post({ customer: 'Nordwind', type: 'http', title: 'Checkout answers late', severity: 'critical' });
  const page = await openAs(mara, '/?search=disk&customer=Harbor+%26+Finch');
  await connected(page);
  await page.getByRole('button', { name: 'Save as view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as view' });
  await expect(dialog.getByLabel('Filter')).toHaveValue('customer:"Harbor & Finch" disk');
  await expect(dialog.getByLabel('Share with everyone')).toHaveCount(0);
  await dialog.getByLabel('Filter').fill('customer:"Harbor & Finch" disk severity:awful');
  await expect(dialog.getByRole('alert')).toContainText('severity: takes critical');
  await dialog.getByLabel('Filter').fill('customer:"Harbor & Finch" disk');
  await dialog.getByLabel('Name').fill('Harbor night shift');
  expect(await findingsInThemes(page)).toEqual([]);
  await dialog.getByLabel('Name').press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Harbor night shift' })).toBeVisible();
  await expect(card(page, 'Disk full on db-7')).toBeVisible();
  await expect(card(page, 'Checkout')).toHaveCount(0);
  await expect(row(page, 'Harbor night shift')).toContainText('2');
  expect(await findingsInThemes(page)).toEqual([]);

  // What happens elsewhere is counted here.
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk full on db-9', severity: 'critical' });
  await expect(row(page, 'Harbor night shift')).toContainText('3');
  const queue = await queueOf(app, ADMINISTRATOR);
  await queue.accept({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk gone' });
  await expect(card(page, 'Disk full on db-9')).toBeVisible();
  await expect(row(page, 'Harbor night shift')).toContainText('3');

  await page.getByRole('button', { name: 'Remove disk', exact: true }).click();
  await page.getByRole('combobox', { name: 'Search alerts' }).fill('severity:critical ');
  await expect(card(page, 'Disk slow on db-8')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Save as new' })).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save as new' })).toHaveCount(0);
  await expect(row(page, 'Harbor night shift')).toContainText('2');

  await page.keyboard.press('Control+K');
  await page.keyboard.type('harbor night');
  await expect(page.getByRole('option', { name: /Harbor night shift/ })).toContainText('2');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Menu of the view Harbor night shift' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Use my settings' })).toBeChecked();
  await page.getByRole('menuitemradio', { name: 'Always notify me' }).click();
  await expect(page.getByText('Alerts in Harbor night shift')).toBeVisible();
  await page.getByRole('button', { name: 'Menu of the view Harbor night shift' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'Always notify me' })).toBeChecked();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(row(page, 'Harbor night shift')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'New Alerts' })).toBeVisible();
  await page.keyboard.press('z');
  await row(page, 'Harbor night shift').click();
  await expect(page.locator('.page-head__count')).toHaveText('2 waiting for action');
  await expectAccessible(page);
});
