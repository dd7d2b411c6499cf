import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, folderRow, goBy } from './support/screen.ts';

/** Presses a key and lets it repeat, as one that is held down does. */
async function hold(page: Page, key: string, times = 6): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await page.keyboard.down(key);
    // What the press does is on the screen before the key comes again.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)))');
  }
  await page.keyboard.up(key);
}

const cards = (page: Page) => page.locator('article[data-alert-id]');

test('a key that is held down accepts one alert, A on the card as Enter on its button', async ({
  app,
  openAs,
  mara,
}) => {
  for (const customer of ['One', 'Two', 'Three', 'Four']) await app.post({ customer });
  const page = await openAs(mara);
  await connected(page);
  const queue = await queueOf(app, mara);
  await cards(page).first().focus();
  await hold(page, 'a');
  await expect(cards(page)).toHaveCount(3);
  await expect.poll(queue.mine).toHaveLength(1);
  await card(page, 'Three').getByRole('button', { name: 'Accept' }).focus();
  await hold(page, 'Enter');
  await expect(cards(page)).toHaveCount(2);
  await expect.poll(queue.mine).toHaveLength(2);
});

test('Delete that is held down deletes one folder, and so does a double click on its button', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  for (const name of ['One', 'Two', 'Three', 'Zero']) await queue.folder(name);
  const page = await openAs(mara);
  await folderRow(page, 'Zero').focus();
  await hold(page, 'Delete');
  await expect(page.getByRole('treeitem')).toHaveCount(3);

  await folderRow(page, 'One').hover();
  const { x, y, width, height } = (await folderRow(page, 'One')
    .getByRole('button', { name: 'Delete folder One' })
    .boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await page.mouse.dblclick(x + width / 2, y + height / 2, { delay: 20 });
  await expect(folderRow(page, 'One')).toHaveCount(0);
  await expect(page.getByRole('treeitem')).toHaveCount(2);

  // Where a second click means something else, it counts.
  await app.post({ customer: 'Nordwind' });
  const row = page.getByRole('article').filter({ hasText: 'Nordwind' });
  const select = row.getByRole('checkbox', { name: 'Select' });
  await card(page, 'Nordwind').hover();
  await select.click();
  await expect(select).toBeChecked();
  await select.dblclick();
  await expect(select).toBeChecked();
});

test('a feed is one tab stop, is left by Ctrl+Home and Ctrl+End; left and right reach what can be done with a card', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  for (const customer of ['One', 'Two', 'Three'])
    await queue.accept({ customer, link: 'https://example.com', a: 1, b: 2, c: 3, d: 4, e: 5 });
  for (let count = 0; count < 30; count += 1) await app.post({ customer: `Customer ${count}` });
  const page = await openAs(mara, '/my-alerts');
  const three = cards(page).first();
  await three.focus();
  await page.keyboard.press('Tab');
  expect(await page.evaluate<boolean>("document.activeElement?.closest('article') === null")).toBe(true);
  await page.keyboard.press('Shift+Tab');
  await expect(three).toBeFocused();

  await page.keyboard.press('ArrowRight');
  await expect(three.getByRole('button', { name: 'Drag to a folder' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(three.getByRole('button', { name: 'More actions' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(three.getByRole('radio', { name: 'Accepted' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(three.getByRole('radio', { name: 'In Progress' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(three).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cards(page).nth(1)).toBeFocused();

  await page.goto('/');
  // It comes after the alerts.
  await page.getByRole('switch', { name: /Notifications/ }).waitFor();
  await cards(page).nth(1).focus();
  await page.keyboard.press('Control+Home');
  await expect(page.getByRole('switch', { name: /Notifications/ })).toBeFocused();
  await cards(page).nth(1).focus();
  await page.keyboard.press('Control+End');
  // Nothing stands after the list.
  await expect(cards(page).nth(1)).toBeFocused();
});

test('Ctrl+K finds what can be done with the focused card or the selection, and every place', async ({
  app,
  openAs,
  mara,
}) => {
  for (const title of ['Backup failed', 'Disk almost full']) await app.post({ title, customer: 'Nordwind' });
  const queue = await queueOf(app, mara);
  const parentId = await queue.folder('Infrastructure');
  await queue.folder('Databases', { parentId });
  const page = await openAs(mara);
  await connected(page);
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const option = (name: string) => palette.getByRole('option', { name });
  await cards(page).first().focus();
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('combobox', { name: 'Command or folder' })).toBeFocused();
  await expect(palette.getByRole('group').first()).toHaveAccessibleName(/Disk almost full/);
  await expect(palette.getByRole('option').first()).toHaveAccessibleName('Accept');
  await expect(palette.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.keyboard.press('Escape');
  await expect(cards(page).first()).toBeFocused();

  // What is typed before the palette has the focus is not for the card.
  await page.keyboard.press('Control+k');
  await page.keyboard.press('a');
  await expect(palette.getByRole('combobox')).toBeFocused();
  await expect(cards(page)).toHaveCount(2);
  await page.keyboard.press('Enter');
  await expect(cards(page)).toHaveCount(1);
  await expect.poll(queue.mine).toHaveLength(1);

  // Over a selection, and with nothing of that name. Keys are for the card once the palette is gone.
  await expect(palette).toHaveCount(0);
  await cards(page).first().focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar', { name: '1 selected' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(palette.getByRole('group').first()).toHaveAccessibleName('1 selected');
  await page.keyboard.type('no such thing');
  await expect(palette.getByText('No results')).toBeVisible();
  await palette.getByRole('combobox').fill('data infra');
  await expect(option('Infrastructure › Databases')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Databases', exact: true })).toBeVisible();
  await expect(palette).toHaveCount(0);

  // G F lists nothing but the folders.
  await goBy(page, 'f');
  const folders = page.getByRole('dialog', { name: 'Folders' });
  await expect(folders.getByRole('combobox', { name: 'Folder' })).toBeFocused();
  await expect(folders.getByRole('option')).toHaveText(['Infrastructure', 'Infrastructure › Databases']);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Infrastructure', exact: true })).toBeVisible();
});
