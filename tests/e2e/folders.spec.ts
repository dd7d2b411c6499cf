import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { connected, folderRow, toast } from './support/screen.ts';

const LONG = 'A name that is far too long for the sidebar, and goes on';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Folder' });
const rowNames = (page: Page) => page.getByRole('treeitem').locator('.folder-tree__name');
const deleteButton = (page: Page, name: string) =>
  folderRow(page, name).getByRole('button', { name: `Delete folder ${name}` });

test('deleting a folder can be undone, and loses nothing', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent');
  await queue.folder('Payments', { parentId: urgent });
  const id = await queue.accept({ customer: 'Filed away' });
  await queue.file(id, urgent);
  const page = await openAs(mara, `/folder/${urgent}`);
  await connected(page);
  await expect(page.getByRole('article', { name: 'Filed away' })).toBeVisible();
  await page.clock.install();

  await expect(deleteButton(page, 'Urgent')).toHaveCSS('opacity', '0');
  await folderRow(page, 'Urgent').hover();
  await expect(deleteButton(page, 'Urgent')).toHaveCSS('opacity', '1');
  await deleteButton(page, 'Urgent').click();
  await expect(toast(page)).toContainText('Folder deleted');
  await expect(rowNames(page)).toHaveText(['Payments']);
  await expect(folderRow(page, 'Payments')).toHaveAttribute('aria-level', '1');
  await expect(page).toHaveURL('/my-alerts');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(rowNames(page)).toHaveText(['Urgent', 'Payments']);
  expect(await queue.folders()).toHaveLength(2);

  // By the keyboard this time.
  await folderRow(page, 'Urgent').focus();
  await expect(deleteButton(page, 'Urgent')).toHaveCSS('opacity', '1');
  await page.keyboard.press('Tab');
  await expect(deleteButton(page, 'Urgent')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(folderRow(page, 'Payments')).toBeFocused();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await page.clock.runFor(6000);
  await expect(page.getByRole('article', { name: 'Filed away' })).toBeVisible();
  await expect.poll(async () => (await queue.folders()).map(({ name }) => name)).toEqual(['Payments']);
  expect(await queue.mine()).toEqual([id]);
});

test('three hundred folders, ten deep, stay in reach', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  for (let top = 0; top < 30; top += 1) {
    let parentId: string | undefined;
    for (let level = 0; level < 10; level += 1)
      parentId = await queue.folder(`Folder ${top}.${level}`, parentId === undefined ? {} : { parentId });
  }
  const page = await openAs(mara);
  await expect(rowNames(page)).toHaveCount(300);
  await folderRow(page, 'Folder 0\\.0').focus();
  await page.keyboard.press('End');
  const last = folderRow(page, 'Folder 29\\.9');
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport();
  await expect(last.locator('.folder-tree__name')).toBeInViewport();
  await expect(last).toHaveAttribute('aria-level', '10');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Folder 29.9', exact: true })).toBeVisible();
});

test('with icons only the top level is dots with tooltips; on a small screen the folders are in a sheet, which opening one closes: axe has nothing to say in either theme', async ({
  app,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const page = await openAs(mara, '/');
  await test.step('no folders yet', async () => {
    await expect(page.getByText('No folders yet')).toBeVisible();
    await expectAccessible(page);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  const urgent = await queue.folder('Urgent', { color: 'red' });
  await queue.folder(LONG, { parentId: urgent });
  await queue.file(await queue.accept({ customer: 'One' }), urgent);
  await page.goto(`/folder/${urgent}`);
  await expect(page.getByRole('article', { name: 'One' })).toBeVisible();
  await test.step('tree and dialog', async () => {
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await expect(dialog(page)).toBeVisible();
    expect(await findingsInThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    await folderRow(page, 'Urgent').focus();
    expect(await findingsInThemes(page)).toEqual([]);
  });

  await test.step('a folder inside another is indented by 16 px a level', async () => {
    await folderRow(page, 'Urgent').locator('.folder-tree__caret').click();
    await expect(rowNames(page)).toHaveText(['Urgent']);
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await dialog(page).getByLabel('Folder Name').fill('Chargebacks');
    await dialog(page)
      .getByLabel('Parent Folder')
      .selectOption({ label: `\u2003${LONG}` });
    await dialog(page).getByRole('button', { name: 'Create Folder' }).click();
    await expect(rowNames(page)).toHaveText(['Urgent', LONG, 'Chargebacks']);
    for (const [level, name] of ['Urgent', LONG, 'Chargebacks'].entries()) {
      await expect(folderRow(page, name)).toHaveAttribute('aria-level', String(level + 1));
      await expect(folderRow(page, name)).toHaveCSS('padding-inline-start', `${level * 16}px`);
    }
  });

  await test.step('rail', async () => {
    await page.goto('/');
    await expect(folderRow(page, 'Urgent')).toBeVisible();
    await page.keyboard.press('Control+b');
    const rail = page.getByRole('list', { name: 'Folders' });
    await expect(rail.getByRole('link')).toHaveCount(1);
    await rail.getByRole('link', { name: 'Urgent' }).hover();
    await expect(page.locator('.bp6-tooltip')).toHaveText('Urgent1');
    await rail.getByRole('link', { name: 'Urgent' }).click();
    await expect(page.getByRole('heading', { name: 'Urgent', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog(page)).toHaveCount(0);
    expect(await findingsInThemes(page)).toEqual([]);
  });

  await test.step('sheet', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole('button', { name: 'Toggle the sidebar' }).click();
    await expect(folderRow(page, 'Urgent')).toBeInViewport({ ratio: 1 });
    expect(await findingsInThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create a folder' }).click();
    await dialog(page).getByLabel('Folder Name').fill('Later');
    await page.keyboard.press('Enter');
    await expect(folderRow(page, 'Later')).toBeVisible();
    await expect(page.getByRole('dialog', { name: 'Create New Folder' })).toHaveCount(0);
    await folderRow(page, 'Later').getByRole('link').click();
    await expect(page.locator('.main-layout__sheet')).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Later', exact: true })).toBeVisible();
  });
});

test('under a finger everything in the tree is 40 px', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Payments', { parentId: await queue.folder('Urgent') });
  const page = await openAs(mara, '/', { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true });
  for (const target of [
    folderRow(page, 'Urgent'),
    folderRow(page, 'Urgent').locator('.folder-tree__caret'),
    deleteButton(page, 'Urgent'),
    page.getByRole('button', { name: 'Create a folder' }),
  ]) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
  }
  await expect(deleteButton(page, 'Urgent')).toHaveCSS('opacity', '1');
});
