import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { connected, folderCount, folderRow, navigation, openCardMenu, toast } from './support/screen.ts';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Create New Folder' });
const rowNames = (page: Page) => page.getByRole('treeitem').locator('.ad-tree-name');
const deleteButton = (page: Page, name: string) =>
  folderRow(page, name).getByRole('button', { name: `Delete folder ${name}` });

test('the tree is worked with the keyboard', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent');
  await queue.folder('Payments', { parentId: urgent });
  await queue.folder('Infrastructure');
  await queue.folder('Releases');
  const page = await openAs(mara);
  await folderRow(page, 'Urgent').focus();
  await page.keyboard.press('ArrowRight');
  await expect(folderRow(page, 'Payments')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(folderRow(page, 'Infrastructure')).toBeFocused();
  await page.keyboard.press('End');
  await expect(folderRow(page, 'Releases')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await expect(folderRow(page, 'Urgent')).toHaveAttribute('aria-expanded', 'false');
  await expect(rowNames(page)).toHaveText(['Urgent', 'Infrastructure', 'Releases']);
  await page.keyboard.press('ArrowRight');
  await expect(folderRow(page, 'Payments')).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(folderRow(page, 'Urgent')).toBeFocused();
  await page.keyboard.type('rel');
  await expect(folderRow(page, 'Releases')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Releases', exact: true })).toBeVisible();
  await expect(folderRow(page, 'Releases')).toHaveAttribute('aria-current', 'page');
});

test('what is collapsed stays so after a reload', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Payments', { parentId: await queue.folder('Urgent') });
  const page = await openAs(mara);
  await folderRow(page, 'Urgent').locator('.ad-tree-caret').click();
  await expect(rowNames(page)).toHaveText(['Urgent']);
  await page.reload();
  await expect(rowNames(page)).toHaveText(['Urgent']);
  await expect(folderRow(page, 'Urgent')).toHaveAttribute('aria-expanded', 'false');
});

test('a badge counts the alerts that are not completed, live', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent');
  const ids = [await queue.accept({ customer: 'One' }), await queue.accept({ customer: 'Two' })];
  for (const id of ids) await queue.file(id, urgent);
  await queue.setStatus(ids[0] ?? '', 'completed');
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await expect(folderCount(page, 'Urgent')).toHaveText('1');

  await queue.setStatus(ids[1] ?? '', 'completed');
  await expect(folderCount(page, 'Urgent')).toHaveText('');
  await queue.setStatus(ids[1] ?? '', 'in-progress');
  await expect(folderCount(page, 'Urgent')).toHaveText('1');
  // Somebody else returns it to the inbox.
  await app.admin.request('POST', `/api/alerts/${ids[1]}/unaccept`);
  await expect(folderCount(page, 'Urgent')).toHaveText('');
});

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

test('a folder whose deletion fails comes back', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).folder('Urgent');
  const page = await openAs(mara);
  await connected(page);
  await page.clock.install();
  await page.route('**/api/folders/*', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await folderRow(page, 'Urgent').focus();
  await page.keyboard.press('Delete');
  await expect(page.getByText('No folders yet')).toBeVisible();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await page.clock.runFor(6000);
  await expect(toast(page)).toContainText('Could not delete the folder');
  await expect(toast(page)).toContainText('503: The database is away.');
  await expect(folderRow(page, 'Urgent')).toBeVisible();
});

test('leaving the page sends a deletion that can still be undone', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  const page = await openAs(mara);
  await folderRow(page, 'Urgent').focus();
  await page.keyboard.press('Delete');
  await expect(toast(page)).toContainText('Folder deleted');
  await page.goto('about:blank');
  await expect.poll(() => queue.folders()).toEqual([]);
});

test('with icons only the top level is dots with tooltips', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent');
  await queue.folder('Payments', { parentId: urgent });
  await queue.file(await queue.accept({ customer: 'One' }), urgent);
  const page = await openAs(mara);
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
});

test('on a small screen the folders are in the sheet, which opening one closes', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).folder('Urgent');
  const page = await openAs(mara, '/', { viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: 'Toggle the sidebar' }).click();
  await page.getByRole('button', { name: 'Create a folder' }).click();
  await dialog(page).getByLabel('Folder Name').fill('Later');
  await page.keyboard.press('Enter');
  await expect(rowNames(page)).toHaveText(['Urgent', 'Later']);
  await expect(dialog(page)).toHaveCount(0);
  await folderRow(page, 'Later').getByRole('link').click();
  await expect(page.locator('.ad-sheet')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Later', exact: true })).toBeVisible();
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
  await expect(last.locator('.ad-tree-name')).toBeInViewport();
  await expect(last).toHaveAttribute('aria-level', '10');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Folder 29.9', exact: true })).toBeVisible();
});

test('a folder that is made or deleted is so in the member’s other windows, too', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const page = await openAs(mara);
  await connected(page);
  await expect(page.getByText('No folders yet')).toBeVisible();
  const id = await queue.folder('Made elsewhere');
  await expect(rowNames(page)).toHaveText(['Made elsewhere']);
  await queue.client.request('DELETE', `/api/folders/${id}`);
  await expect(page.getByText('No folders yet')).toBeVisible();
});

test('folders are their owner’s alone', async ({ app, openAs, mara }) => {
  const urgent = await (await queueOf(app, mara)).folder('Hers alone');
  const page = await openAs(ADMINISTRATOR, `/folder/${urgent}`);
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expect(page.getByText('Hers alone')).toHaveCount(0);
  await navigation(page, 'New Alerts').click();
  await expect(page.getByRole('heading', { name: 'New Alerts', exact: true })).toBeVisible();
});

test('a name that would turn the line around or hide is shown as it is', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('\u202Egpj.exe <b>ملفات</b> 🔥');
  await queue.file(await queue.accept({ customer: 'One' }), urgent);
  const page = await openAs(mara, `/folder/${urgent}`);
  await expect(page.getByRole('heading', { name: 'gpj.exe <b>ملفات</b> 🔥', exact: true })).toBeVisible();
  await expect(rowNames(page)).toHaveText(['gpj.exe <b>ملفات</b> 🔥']);
  await openCardMenu(page, 'One');
  await expect(page.getByRole('menuitem', { name: 'Remove from folder' })).toBeVisible();
});

test('tree, dialog, rail and sheet: axe has nothing to say in either theme', async ({ app, openAs, mara }) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent', { color: 'red' });
  await queue.folder('A name that is far too long for the sidebar, and goes on', { parentId: urgent });
  await queue.file(await queue.accept({ customer: 'One' }), urgent);
  const page = await openAs(mara, `/folder/${urgent}`);
  await expect(page.getByRole('article', { name: 'One' })).toBeVisible();
  await page.getByRole('button', { name: 'Create a folder' }).click();
  await expect(dialog(page)).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await folderRow(page, 'Urgent').focus();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.keyboard.press('Control+b');
  await expect(page.getByRole('list', { name: 'Folders' })).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.getByRole('button', { name: 'Toggle the sidebar' }).click();
  await expect(folderRow(page, 'Urgent')).toBeInViewport({ ratio: 1 });
  expect(await findingsInThemes(page)).toEqual([]);
});

test('no folders yet: axe has nothing to say in either theme', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/');
  await expect(page.getByText('No folders yet')).toBeVisible();
  await expectAccessible(page);
});

test('under a finger everything in the tree is 40 px', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Payments', { parentId: await queue.folder('Urgent') });
  const page = await openAs(mara, '/', { viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true });
  for (const target of [
    folderRow(page, 'Urgent'),
    folderRow(page, 'Urgent').locator('.ad-tree-caret'),
    deleteButton(page, 'Urgent'),
    page.getByRole('button', { name: 'Create a folder' }),
  ]) {
    const box = await target.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
  }
  await expect(deleteButton(page, 'Urgent')).toHaveCSS('opacity', '1');
});
