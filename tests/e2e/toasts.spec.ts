import type { Page } from '@playwright/test';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, passUntil, settled, stopClock, toast } from './support/screen.ts';

// Toasts slide in and fade.
test.use({ moving: true });

/** Drags the toast to the right by its text. */
async function swipe(page: Page, distance: number): Promise<void> {
  const text = toast(page).getByText('New alert received');
  await text.hover();
  const box = await text.boundingBox();
  if (!box) throw new Error('The toast has no place on the screen.');
  // Whole pixels, as a pointer has them.
  const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + distance, y, { steps: 5 });
  await page.mouse.up();
}

test('a toast is at most 420 px wide and within a narrow screen; a swipe of 50 px to the right takes it away, a shorter one does not', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await app.post({ customer: `Donau${'dampfschiff'.repeat(17)}` });
  await toast(page).hover();
  // It stays while the window changes its width and the pointer is beside it.
  await toast(page).getByRole('button', { name: 'Close' }).focus();
  expect((await toast(page).boundingBox())?.width).toBeLessThanOrEqual(420);
  await page.setViewportSize({ width: 320, height: 640 });
  await toast(page).hover();
  await expect(toast(page)).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await swipe(page, 49);
  await expect(toast(page)).toHaveCSS('translate', 'none');
  await expect(toast(page)).toBeVisible();
  await swipe(page, 51);
  await expect(toast(page)).toHaveCount(0);
});

test('a toast goes after five seconds, which stand still while the pointer or the focus is in it; what it said can be read again for 1,000,000 ms', async ({
  app,
  openAs,
  mara,
}) => {
  await (await queueOf(app, mara)).accept({ customer: 'Atlas Freight' });
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await page.clock.install();
  const recent = page.getByRole('dialog', { name: 'For you' });
  const bell = page.getByRole('button', { name: 'For you' });
  const openRecent = async (): Promise<void> => {
    await bell.click();
    await recent.getByText('Recent', { exact: true }).click();
  };
  await openRecent();
  await expect(recent).toContainText('Nothing in the last 16 minutes');
  await page.keyboard.press('Escape');

  await test.step('under the pointer', async () => {
    await stopClock(page);
    await app.post({ customer: 'Quayside Ferries' });
    await passUntil(page, () => expect(toast(page)).toContainText('Alert from Quayside Ferries', { timeout: 100 }));
    await page.clock.runFor(3000);
    await toast(page).hover();
    // The five seconds stop, and go on, in a task of their own after the event.
    await settled(page);
    await page.clock.runFor(20_000);
    await expect(toast(page)).toBeVisible();
    await page.mouse.move(600, 300);
    await settled(page);
    await page.clock.runFor(500);
    await expect(toast(page)).toBeVisible();
    await page.clock.runFor(2500);
    await passUntil(page, () => expect(toast(page)).toHaveCount(0, { timeout: 100 }));
    await page.clock.resume();
  });

  await test.step('with the focus', async () => {
    await card(page, 'Atlas Freight').getByText('Completed').click();
    await page.clock.runFor(500);
    await expect(toast(page)).toContainText('Status updated');
    await page.keyboard.press('F8');
    await expect(toast(page).locator(':focus')).toHaveCount(1);
    await page.clock.runFor(60_000);
    await expect(toast(page)).toBeVisible();
    await page.getByRole('button', { name: 'Toggle the sidebar' }).focus();
    await page.clock.runFor(6000);
    await expect(toast(page)).toHaveCount(0);
  });

  await test.step('read again, newest first, in both themes', async () => {
    await openRecent();
    const past = recent.getByRole('listitem');
    await expect(past).toHaveCount(2);
    await expect(past.first()).toContainText('Status updated');
    await expect(past.first()).toContainText('Alert status changed to Completed');
    await expect(past.last()).toContainText('Alert from Quayside Ferries');
    await page.clock.runFor(830_000);
    await expect(past).toHaveCount(2);
    await page.clock.resume();
    expect(await findingsInThemes(page)).toEqual([]);
    await page.clock.runFor(171_000);
    await expect(recent).toContainText('Nothing in the last 16 minutes');
    await page.keyboard.press('Escape');
    await expect(recent).toHaveCount(0);
    await expect(bell).toBeFocused();
  });
});
