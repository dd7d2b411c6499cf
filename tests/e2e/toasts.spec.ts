import type { Page } from '@playwright/test';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, navigation, toast } from './support/screen.ts';

const close = (page: Page) => toast(page).getByRole('button', { name: 'Close' });

test('F8 brings the focus to the toast, Escape takes the toast away and gives the focus back', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await navigation(page, 'My Alerts').focus();
  await app.post({ customer: 'Brightwater Energy' });
  await expect(toast(page)).toContainText('Alert from Brightwater Energy');
  await page.keyboard.press('F8');
  await expect(toast(page).getByRole('button', { name: 'Open' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(toast(page)).toHaveCount(0);
  await expect(navigation(page, 'My Alerts')).toBeFocused();
});

test('a toast goes after five seconds, which stand still while it is hovered over', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await page.clock.install();
  await app.post({ customer: 'Quayside Ferries' });
  await page.clock.runFor(500);
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(3000);
  await toast(page).hover();
  await page.clock.runFor(20_000);
  await expect(toast(page)).toBeVisible();
  await page.mouse.move(600, 300);
  await page.clock.runFor(500);
  await expect(toast(page)).toBeVisible();
  await page.clock.runFor(2500);
  await expect(toast(page)).toHaveCount(0);
});

test('a swipe of 50 px to the right takes a toast away, a shorter one does not', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await app.post({ customer: 'Quayside Ferries' });
  const text = toast(page).getByText('New alert received');
  const swipe = async (distance: number): Promise<void> => {
    await text.hover();
    const box = await text.boundingBox();
    if (!box) throw new Error('The toast has no place on the screen.');
    // Whole pixels, as a pointer has them.
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + distance, y, { steps: 5 });
    await page.mouse.up();
  };
  await swipe(49);
  await expect(toast(page)).toHaveCSS('translate', 'none');
  await expect(toast(page)).toBeVisible();
  await swipe(51);
  await expect(toast(page)).toHaveCount(0);
});

test('news becomes one count, and waits while a result is shown', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).accept({ customer: 'Atlas Freight' });
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await app.post({ customer: 'Brightwater Energy' });
  await app.post({ customer: 'Quayside Ferries' });
  await expect(toast(page)).toContainText('2 new alerts from 2 customers');

  await card(page, 'Atlas Freight').getByText('Completed').click();
  await expect(toast(page)).toContainText('Status updated');
  await toast(page).hover();
  await app.post({ customer: 'Harbour Lights' });
  await app.post({ customer: 'Harbour Lights' });
  await expect(navigation(page, 'New Alerts')).toContainText('4');
  await expect(toast(page)).toHaveCount(1);
  await expect(toast(page)).toContainText('Status updated');
  await close(page).click();
  await expect(toast(page)).toContainText('2 new alerts from Harbour Lights');

  // It leads to the newest of them.
  await toast(page).getByRole('button', { name: 'Show' }).click();
  await expect(page.getByRole('article').first()).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New Alerts');
});

test('the five seconds stand still while the focus is in the toast', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await page.clock.install();
  await app.post({ customer: 'Quayside Ferries' });
  await page.clock.runFor(500);
  await expect(toast(page)).toBeVisible();
  await page.keyboard.press('F8');
  await expect(toast(page).getByRole('button', { name: 'Open' })).toBeFocused();
  await page.clock.runFor(60_000);
  await expect(toast(page)).toBeVisible();
  await page.getByRole('button', { name: 'Toggle the sidebar' }).focus();
  await page.clock.runFor(6000);
  await expect(toast(page)).toHaveCount(0);
});

test('a toast is at most 420 px wide, and keeps within a narrow screen', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await app.post({ customer: `Donau${'dampfschiff'.repeat(17)}` });
  await toast(page).hover();
  expect((await toast(page).boundingBox())?.width).toBeLessThanOrEqual(420);
  await page.setViewportSize({ width: 320, height: 640 });
  await toast(page).hover();
  await expect(toast(page)).toBeInViewport({ ratio: 1 });
});

test('what the toasts said can be read again for 1,000,000 ms, newest first', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).accept({ customer: 'Atlas Freight' });
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await page.clock.install();
  const recent = page.getByRole('dialog', { name: 'Recent notifications' });
  const bell = page.getByRole('button', { name: 'Recent notifications' });
  await bell.click();
  await expect(recent).toContainText('Nothing in the last 16 minutes');
  await page.keyboard.press('Escape');
  await app.post({ customer: 'Quayside Ferries' });
  await page.clock.runFor(500);
  await expect(toast(page)).toContainText('Alert from Quayside Ferries');
  await card(page, 'Atlas Freight').getByText('Completed').click();
  await expect(toast(page)).toContainText('Status updated');
  await page.clock.runFor(6000);
  await expect(toast(page)).toHaveCount(0);

  await bell.click();
  const past = recent.getByRole('listitem');
  await expect(past).toHaveCount(2);
  await expect(past.first()).toContainText('Status updated');
  await expect(past.first()).toContainText('Alert status changed to Completed');
  await expect(past.last()).toContainText('Alert from Quayside Ferries');
  await page.clock.runFor(930_000);
  await expect(past).toHaveCount(2);
  await page.clock.runFor(71_000);
  await expect(recent).toContainText('Nothing in the last 16 minutes');
  await page.keyboard.press('Escape');
  await expect(recent).toHaveCount(0);
  await expect(bell).toBeFocused();
});

test('recent notifications are accessible in both themes', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await app.post({ customer: 'Quayside Ferries' });
  await toast(page).waitFor();
  await close(page).click();
  await page.getByRole('button', { name: 'Recent notifications' }).click();
  await expect(page.getByRole('dialog', { name: 'Recent notifications' })).toContainText('Quayside Ferries');
  expect(await findingsInThemes(page)).toEqual([]);
});
