import type { Page } from '@playwright/test';
import { findingsInThemes } from './support/axe.ts';
import { dragOver, grab, handle, middleOf, overlay } from './support/dragging.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, folderCount, folderRow, navigation, settled, toast } from './support/screen.ts';

// What is dragged is drawn on its way.
test.use({ moving: true });

const announced = (page: Page) => page.locator('[id^="DndLiveRegion"]');

/** Picks a card up by the keyboard; returns once the drag listens to keys, which it does from the timer after it began. */
async function pickUp(page: Page, customer: string, key: 'Space' | 'Enter'): Promise<void> {
  await handle(page, customer).focus();
  await page.keyboard.press(key);
  await expect(overlay(page)).toBeVisible();
  await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
}

test('a card is dragged to a folder by its handle, and comes back by Undo', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent', { color: 'red' });
  await queue.folder('Payments', { parentId: urgent });
  const id = await queue.accept({ customer: 'Nordwind', type: 'disk.full', title: 'Disk almost full on db-7' });
  await queue.accept({ customer: 'Atlas' });
  const page = await openAs(mara, '/my-alerts');
  await grab(page, 'Nordwind');
  await expect(overlay(page)).toContainText('Disk almost full on db-7');
  await expect(page.locator('article', { hasText: 'Nordwind' })).toHaveAttribute('data-dragged', '');
  await expect(overlay(page)).toContainText('Drag to a folder');
  await dragOver(page, folderRow(page, 'Payments'));
  await expect(folderRow(page, 'Payments')).toHaveClass(/folders-group__dropOver/);
  await expect(overlay(page)).toContainText('Nordwind');
  await expect(overlay(page)).toContainText('Move to Payments');
  await page.mouse.up();

  await expect(toast(page)).toContainText('Alert moved');
  // A toast that has the focus stays.
  await toast(page).getByRole('button', { name: 'Undo' }).focus();
  await expect(toast(page)).toContainText('Moved to Payments');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(folderCount(page, 'Payments')).toHaveText('1');
  await expect(overlay(page)).toHaveCount(0);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Nordwind')).toBeVisible();
  await expect.poll(() => queue.mine()).toContain(id);
});

test('a drag begins after 8 px; ended by Escape, by Tab or anywhere else, it leaves the card where it was', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  const { x, y } = await middleOf(handle(page, 'Nordwind'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 7, y);
  await expect(page.locator('html')).not.toHaveAttribute('data-dragging', '');
  await expect(overlay(page)).toHaveCount(0);
  await page.mouse.move(x - 9, y);
  await expect(overlay(page)).toBeVisible();
  await dragOver(page, folderRow(page, 'Urgent'));
  await page.keyboard.press('Escape');
  await expect(overlay(page)).toHaveCount(0);
  await page.mouse.up();
  await expect(card(page, 'Nordwind')).toBeVisible();
  await expect(folderCount(page, 'Urgent')).toHaveText('');

  await grab(page, 'Nordwind');
  await dragOver(page, navigation(page, 'New Alerts'));
  await expect(overlay(page)).toContainText('Drag to a folder');
  await page.mouse.up();
  await expect(overlay(page)).toHaveCount(0);
  await expect(card(page, 'Nordwind')).toBeVisible();
  await expect(toast(page)).toHaveCount(0);

  for (const key of ['Escape', 'Tab']) {
    await pickUp(page, 'Nordwind', 'Enter');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press(key);
    await expect(overlay(page)).toHaveCount(0);
    await expect(announced(page)).toHaveText('Alert from Nordwind stays where it was.');
  }
});

test('without folders a drop only says what is missing', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  await grab(page, 'Nordwind');
  await dragOver(page, page.getByText('No folders yet'));
  await expect(page.getByText('Drop to create folder')).toBeVisible();
  await expect(page.getByText('No folders yet')).toHaveCount(0);
  await page.mouse.up();
  await expect(toast(page)).toContainText('Create a folder first');
  await expect(toast(page)).toContainText('Please create a folder before organizing alerts');
  await expect(page.getByText('No folders yet')).toBeVisible();
  await expect(card(page, 'Nordwind')).toBeVisible();
});

test('the keyboard drags in steps of 25 px and announces where it is', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Atlas' });
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  const button = handle(page, 'Nordwind');
  await expect(button).toHaveAccessibleDescription(/Press Space or Enter to pick the alert up\./);
  const from = await middleOf(button);
  await pickUp(page, 'Nordwind', 'Space');
  await expect(announced(page)).toHaveText('Alert from Nordwind was picked up.');
  const before = await overlay(page).boundingBox();
  await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await overlay(page).boundingBox())?.x).toBe((before?.x ?? 0) - 25);
  await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await overlay(page).boundingBox())?.y).toBe((before?.y ?? 0) + 25);
  // Arrows belong to the drag, not to the list.
  await expect(button).toBeFocused();

  const target = await middleOf(folderRow(page, 'Urgent'));
  for (let left = from.x - 25; left > target.x + 25; left -= 25) await page.keyboard.press('ArrowLeft');
  for (let down = from.y + 25; down < target.y - 12; down += 25) await page.keyboard.press('ArrowDown');
  await expect(announced(page)).toHaveText('Over Urgent.');
  await expect(folderRow(page, 'Urgent')).toHaveClass(/folders-group__dropOver/);
  await page.keyboard.press('Space');
  await expect(announced(page)).toHaveText('Alert from Nordwind was moved to Urgent.');
  await expect(toast(page)).toContainText('Moved to Urgent');
  await expect(folderCount(page, 'Urgent')).toHaveText('1');
  // The focus goes on to the next card.
  await expect(page.getByRole('article', { name: 'Atlas' })).toBeFocused();
});

test('a collapsed folder opens under a drag that rests on it', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Payments', { parentId: await queue.folder('Urgent') });
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  await folderRow(page, 'Urgent').locator('.folder-tree__caret').click();
  await expect(folderRow(page, 'Payments')).toHaveCount(0);
  await grab(page, 'Nordwind');
  await dragOver(page, folderRow(page, 'Urgent'));
  await expect(folderRow(page, 'Payments')).toBeVisible();
  await dragOver(page, folderRow(page, 'Payments'));
  await expect(overlay(page)).toContainText('Move to Payments');
  await page.mouse.up();
  await expect(folderCount(page, 'Payments')).toHaveText('1');
});

test('over the rail a drag opens the sidebar until the drop', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await expect(folderRow(page, 'Urgent')).toBeVisible();
  await page.keyboard.press('Control+b');
  await expect(sidebar).toHaveCSS('width', '48px');
  await grab(page, 'Nordwind');
  await expect(sidebar).toHaveCSS('width', '48px');
  await page.mouse.move(24, 600, { steps: 5 });
  await expect(sidebar).toHaveCSS('width', '256px');
  await dragOver(page, folderRow(page, 'Urgent'));
  await expect(overlay(page)).toContainText('Move to Urgent');
  await page.mouse.up();
  await expect(sidebar).toHaveCSS('width', '48px');
  await expect(toast(page)).toContainText('Moved to Urgent');
});

test('on a small screen a drag opens the sheet', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts', { viewport: { width: 360, height: 740 } });
  const { x, y } = await middleOf(handle(page, 'Nordwind'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y, { steps: 3 });
  await expect(folderRow(page, 'Urgent')).toBeInViewport({ ratio: 1 });
  await dragOver(page, folderRow(page, 'Urgent').locator('.folder-tree__link'));
  await expect(overlay(page)).toContainText('Move to Urgent');
  await page.mouse.up();
  await expect(page.locator('.main-layout__sheet')).toHaveCount(0);
  await expect(toast(page)).toContainText('Moved to Urgent');
});

test('from a folder a card is dragged to another one, or back to My Alerts', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const [here] = [await queue.folder('Here'), await queue.folder('There')];
  for (const customer of ['Nordwind', 'Atlas']) await queue.file(await queue.accept({ customer }), here);
  const page = await openAs(mara, `/folder/${here}`);
  await grab(page, 'Nordwind');
  await dragOver(page, folderRow(page, 'Here'));
  await settled(page);
  await expect(folderRow(page, 'Here')).not.toHaveClass(/folders-group__dropOver/);
  await dragOver(page, folderRow(page, 'There'));
  await page.mouse.up();
  await expect(folderCount(page, 'There')).toHaveText('1');
  await grab(page, 'Atlas');
  await dragOver(page, navigation(page, 'My Alerts'));
  await expect(overlay(page)).toContainText('Move to My Alerts');
  await page.mouse.up();
  await expect(page.getByText('Here is empty')).toBeVisible();
  await expect(navigation(page, 'My Alerts')).toContainText('1');
});

test('a drag that begins while the drop before is still played shows one overlay', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  for (const customer of ['Nordwind', 'Atlas']) await queue.accept({ customer });
  const page = await openAs(mara, '/my-alerts');
  // A drop takes as long to be played as on a machine that is very busy.
  await page.evaluate(`
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      return animate.call(this, frames, this.matches('body > *') ? { ...options, duration: 60_000 } : options);
    };
  `);
  await grab(page, 'Nordwind');
  await dragOver(page, folderRow(page, 'Urgent'));
  await page.mouse.up();
  await expect(folderCount(page, 'Urgent')).toHaveText('1');
  await grab(page, 'Atlas');
  await dragOver(page, folderRow(page, 'Urgent'));
  await expect(page.locator('body > .drag-overlay__dragOverlay')).toHaveCount(1);
  await expect(overlay(page)).toContainText('Atlas');
  await page.mouse.up();
  await expect(folderCount(page, 'Urgent')).toHaveText('2');
});

test('a card far down a long list is dragged, too', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  const ids = await Promise.all(
    Array.from({ length: 120 }, (_, number) => app.post({ customer: `Waiting ${number}` })),
  );
  for (const id of ids) await queue.client.request('POST', `/api/alerts/${id}/accept`);
  const page = await openAs(mara, '/my-alerts');
  await expect(page.getByText('120 in your queue')).toBeVisible();
  await page.getByRole('article').first().focus();
  await page.keyboard.press('End');
  const last = page.locator('article[aria-posinset="120"]');
  await expect(last).toBeFocused();
  const customer = await last.locator('.alert-card__customer').innerText();
  const { x, y } = await middleOf(last.getByRole('button', { name: 'Drag to a folder' }));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 12, y, { steps: 3 });
  await dragOver(page, folderRow(page, 'Urgent'));
  await expect(overlay(page)).toContainText(customer);
  await expect(overlay(page)).toContainText('Move to Urgent');
  await page.mouse.up();
  await expect(page.getByText('119 in your queue')).toBeVisible();
  await expect(folderCount(page, 'Urgent')).toHaveText('1');
});

test('a drop that comes too late is reported, and the card is gone', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  const id = await queue.accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await grab(page, 'Nordwind');
  // Meanwhile somebody else returns it to the inbox.
  await app.admin.request('POST', `/api/alerts/${id}/unaccept`);
  // Its row keeps its place while the pointer is down.
  await expect(page.getByText('No longer in this list')).toBeVisible();
  await dragOver(page, folderRow(page, 'Urgent'));
  await page.mouse.up();
  await expect(toast(page)).toContainText('Could not move the alert');
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await expect(folderCount(page, 'Urgent')).toHaveText('');
  await navigation(page, 'New Alerts').click();
  await expect(card(page, 'Nordwind')).toBeVisible();
});

test('an active drag: axe has nothing to say in either theme', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'Nordwind', type: 'disk.full' });
  await queue.accept({ customer: 'Atlas' });
  const page = await openAs(mara, '/my-alerts');
  await grab(page, 'Nordwind');
  await dragOver(page, folderRow(page, 'Urgent'));
  await expect(overlay(page)).toContainText('Move to Urgent');
  // What is dragged is faded on purpose: it says that it is elsewhere for the moment.
  expect(await findingsInThemes(page, { except: '[data-dragged]' })).toEqual([]);
});
