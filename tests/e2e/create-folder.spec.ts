import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { folderRow, toast } from './support/screen.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Folder' });
const rowNames = (page: Page) => page.getByRole('treeitem').locator('.ad-tree-name');

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
