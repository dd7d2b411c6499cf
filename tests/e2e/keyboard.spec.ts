import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { accountButton, card, connected, folderRow } from './support/screen.ts';

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

test.describe('a key that is held down acts once', () => {
  test('A accepts one alert', async ({ app, openAs, mara }) => {
    for (const customer of ['One', 'Two', 'Three', 'Four']) await app.post({ customer });
    const page = await openAs(mara);
    await connected(page);
    await cards(page).first().focus();
    await hold(page, 'a');
    await expect(cards(page)).toHaveCount(3);
    const queue = await queueOf(app, mara);
    expect(await queue.mine()).toHaveLength(1);
  });

  test('Enter on a card’s Accept button accepts one alert', async ({ app, openAs, mara }) => {
    for (const customer of ['One', 'Two', 'Three', 'Four']) await app.post({ customer });
    const page = await openAs(mara);
    await connected(page);
    await card(page, 'Four').getByRole('button', { name: 'Accept' }).focus();
    await hold(page, 'Enter');
    await expect(cards(page)).toHaveCount(3);
    expect(await (await queueOf(app, mara)).mine()).toHaveLength(1);
  });
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
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await page
    .getByRole('button', { name: /sidebar/i })
    .first()
    .dblclick();
  await expect(sidebar).toHaveCSS('width', '256px');
});

test('the user menu is a menu: arrow keys, Home, End and letters move in it', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await accountButton(page, ADMINISTRATOR).focus();
  await page.keyboard.press('Enter');
  const item = (name: string) => page.getByRole('menuitem', { name });
  await expect(item('Settings')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item('Admin Panel')).toBeFocused();
  await page.keyboard.press('End');
  await expect(item('Logout')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(item('Settings')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(item('Logout')).toBeFocused();
  await page.keyboard.type('ab');
  await expect(item('About')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(accountButton(page, ADMINISTRATOR)).toBeFocused();
});

test.describe('a feed', () => {
  test('is one tab stop; left and right reach what can be done with a card', async ({ app, openAs, mara }) => {
    const queue = await queueOf(app, mara);
    for (const customer of ['One', 'Two', 'Three'])
      await queue.accept({ customer, link: 'https://example.com', a: 1, b: 2, c: 3, d: 4, e: 5 });
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
    await expect(three.getByRole('radio', { name: 'Accepted' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(three.getByRole('radio', { name: 'In Progress' })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(three).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(cards(page).nth(1)).toBeFocused();
  });

  test('is left by Ctrl+Home and Ctrl+End', async ({ app, openAs, mara }) => {
    for (let count = 0; count < 30; count += 1) await app.post({ customer: `Customer ${count}` });
    const page = await openAs(mara);
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
});
