import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { folderRow, toast } from './support/screen.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Folder' });
const rowNames = (page: Page) => page.getByRole('treeitem').locator('.ad-tree-name');

test('without folders there is a button for the first one, which is created with a trimmed name, at the top level by default', async ({
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  await expect(page.getByText('No folders yet')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create Folder' });
  await create.click();

  await expect(dialog(page)).toContainText('Organize your alerts by creating custom folders with colors.');
  const name = dialog(page).getByLabel('Folder Name');
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('placeholder', 'e.g., Urgent, Project A');
  const parent = dialog(page).getByLabel('Parent Folder (Optional)');
  await expect(parent.locator('option:checked')).toHaveText('None (top level)');
  const swatches = dialog(page).getByRole('group', { name: 'Color' }).getByRole('radio');
  await expect(swatches).toHaveCount(6);
  for (const [index, color] of ['Purple', 'Blue', 'Green', 'Yellow', 'Red', 'Pink'].entries())
    await expect(swatches.nth(index)).toHaveAccessibleName(color);

  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(create).toBeFocused();
  await expect(page.getByText('No folders yet')).toBeVisible();

  const plus = page.getByRole('button', { name: 'Create a folder' });
  await plus.click();
  const submit = dialog(page).getByRole('button', { name: 'Create Folder' });
  await expect(submit).toBeDisabled();
  await dialog(page).getByLabel('Folder Name').fill('   ');
  await expect(submit).toBeDisabled();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();

  await dialog(page).getByLabel('Folder Name').fill('  Night shift ');
  await dialog(page).getByRole('radio', { name: 'Blue' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(dialog(page).getByRole('radio', { name: 'Green' })).toBeChecked();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/folders', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.continue();
  });
  const request = page.waitForRequest((asked) => asked.method() === 'POST');
  await submit.click();
  await expect(dialog(page).getByRole('button', { name: 'Creating...' })).toBeDisabled();
  expect((await request).postDataJSON()).toEqual({ name: 'Night shift', color: 'green', icon: 'folder', order: 0 });
  release();

  await expect(toast(page)).toContainText('Folder created');
  await expect(dialog(page)).toHaveCount(0);
  await expect(plus).toBeFocused();
  await expect(folderRow(page, 'Night shift')).toBeVisible();
  await expect(folderRow(page, 'Night shift').locator('.ad-folder-dot')).toHaveClass(/ad-folder-dot--green/);
  await expect(page.getByText('No folders yet')).toHaveCount(0);
});

test('a folder inside another is indented by 16 px a level', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const parentId = await queue.folder('Urgent', { color: 'red' });
  await queue.folder('Payments', { parentId });
  const page = await openAs(mara);
  await folderRow(page, 'Urgent').locator('.ad-tree-caret').click();
  await expect(rowNames(page)).toHaveText(['Urgent']);
  await page.getByRole('button', { name: 'Create a folder' }).click();
  await dialog(page).getByLabel('Folder Name').fill('Chargebacks');
  await dialog(page).getByLabel('Parent Folder').selectOption({ label: '\u2003Payments' });
  await dialog(page).getByRole('button', { name: 'Create Folder' }).click();
  await expect(rowNames(page)).toHaveText(['Urgent', 'Payments', 'Chargebacks']);
  for (const [level, name] of ['Urgent', 'Payments', 'Chargebacks'].entries()) {
    await expect(folderRow(page, name)).toHaveAttribute('aria-level', String(level + 1));
    await expect(folderRow(page, name)).toHaveCSS('padding-inline-start', `${level * 16}px`);
  }
});

test('a name that a sibling has is refused with the server’s sentence; the Enter that creates another opens no dialog again when it comes up', async ({
  app,
  openAs,
  mara,
}) => {
  await (await queueOf(app, mara)).folder('Urgent');
  const page = await openAs(mara);
  await page.getByRole('button', { name: 'Create a folder' }).click();
  await dialog(page).getByLabel('Folder Name').fill('Urgent');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Error');
  await expect(toast(page)).toContainText('409: There is a folder named "Urgent" in the same place already.');
  await expect(dialog(page).getByLabel('Folder Name')).toHaveValue('Urgent');
  await expect(rowNames(page)).toHaveText(['Urgent']);

  await dialog(page).getByLabel('Folder Name').fill('Later');
  await page.keyboard.down('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await page.keyboard.up('Enter');
  await page.keyboard.press('Tab');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('treeitem', { name: 'Later' })).toBeVisible();
});
