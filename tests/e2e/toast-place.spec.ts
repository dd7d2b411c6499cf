import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, navigation, toast } from './support/screen.ts';

// Toasts slide in and fade.
test.use({ moving: true });

/** How far a toast stands over the bottom bar of a phone, in pixels; nothing where there is none. */
const overBar = (page: Page): Promise<number | null> =>
  page.evaluate(`(() => {
    const bar = document.querySelector('.main-layout__foot');
    const toast = document.querySelector('.toaster__toast').getBoundingClientRect();
    return bar && Math.round(bar.getBoundingClientRect().top - toast.bottom);
  })()`);

/**
 * Primary actions that the toast lies over, by their text, however far the list is scrolled. Over a phone's bar, only those
 * that cannot be scrolled from under it.
 */
const covered = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    const main = document.querySelector('main');
    const found = new Set();
    const isOverBar = document.querySelector('.main-layout__foot') !== null;
    if (isOverBar) {
      main.scrollTop = main.scrollHeight;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const toast = document.querySelector('.toaster__toast').getBoundingClientRect();
      const actions = [...document.querySelectorAll('.alert-card__accept, .queue-card__status')];
      const last = Math.max(...actions.map((action) => action.getBoundingClientRect().bottom));
      main.scrollTop = 0;
      return last <= toast.top ? [] : ['the last one'];
    }
    for (let scrolled = 0; scrolled <= 280; scrolled += 20) {
      main.scrollTop = scrolled;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const toast = document.querySelector('.toaster__toast').getBoundingClientRect();
      const view = main.getBoundingClientRect();
      for (const action of document.querySelectorAll('.alert-card__accept, .queue-card__status, .page-head__action')) {
        const { left, right, top, bottom } = action.getBoundingClientRect();
        const isOver = left < toast.right - 1 && right > toast.left + 1 &&
          Math.max(top, view.top) < Math.min(toast.bottom, bottom) - 1 && bottom > Math.max(toast.top, view.top) + 1;
        if (isOver) found.add(scrolled + ': ' + action.textContent);
      }
    }
    main.scrollTop = 0;
    return [...found];
  })()`);

test('a toast covers no primary action and not the menu, however wide the window is', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  for (let count = 0; count < 12; count += 1)
    await queue.accept({ customer: `Mine ${count}`, host: 'db-7', a: 1, b: 2 });
  for (let count = 0; count < 14; count += 1)
    await app.post({ customer: `Customer ${count}`, host: 'db-7', a: 1, b: 2 });
  const page = await openAs(mara);
  await connected(page);
  const windows = [
    { width: 1440, height: 900, shown: 11 },
    { width: 1024, height: 768, shown: 10 },
    { width: 768, height: 1024, shown: 9 },
    { width: 390, height: 740, shown: 7 },
    { width: 360, height: 740, shown: 8 },
  ];
  for (const { width, height } of windows) {
    await page.setViewportSize({ width, height });
    await card(page, 'Customer 13').getByRole('button', { name: 'Accept' }).click();
    await expect(toast(page)).toContainText('Alert accepted');
    await toast(page).hover();
    expect(await covered(page)).toEqual([]);
    expect(await overBar(page)).toBe(width < 768 ? 8 : null);
    await page.getByRole('button', { name: 'Toggle the sidebar' }).click({ trial: true });
    await toast(page).getByRole('button', { name: 'Undo' }).click();
    await expect(toast(page)).toHaveCount(0);
  }

  await page.goto('/my-alerts');
  for (const { width, height, shown } of windows) {
    await page.setViewportSize({ width, height });
    await card(page, `Mine ${shown}`).getByText('Completed').click();
    await expect(toast(page)).toContainText('Status updated');
    await toast(page).hover();
    expect(await covered(page)).toEqual([]);
    await expect(toast(page)).toBeInViewport({ ratio: 1 });
    await toast(page).getByRole('button', { name: 'Close' }).click();
    await expect(toast(page)).toHaveCount(0);
  }
});

test('an alert that comes into view in the open list makes no toast, but is said to screen readers; one above what is in view makes one', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  await connected(page);
  await app.post({ customer: 'Atlas Freight', title: 'Disk almost full on db-7' });
  await expect(
    page.getByRole('status').filter({ hasText: 'New alert received. Alert from Atlas Freight.' }),
  ).toHaveCount(1);
  await expect(card(page, 'Atlas Freight')).toBeVisible();
  await expect(toast(page)).toHaveCount(0);

  await navigation(page, 'My Alerts').click();
  // Until the other screen is there, the open list is the inbox still.
  await expect(page.getByRole('heading', { name: 'My Alerts', exact: true })).toBeVisible();
  await app.post({ customer: 'Brightwater', type: 'disk.full', title: 'Disk almost full on db-7' });
  await expect(toast(page)).toContainText('New alert received');
  await expect(toast(page)).toContainText('Alert from Brightwater');
  await expect(toast(page)).toContainText('disk.full from Brightwater: Disk almost full on db-7');

  // Nor is one in view that comes above what is.
  for (let count = 0; count < 30; count += 1) await app.post({ customer: `Customer ${count}` });
  await page.goto('/');
  await connected(page);
  await card(page, 'Customer 29').hover();
  await page.mouse.wheel(0, 900);
  await expect(card(page, 'Customer 29')).not.toBeInViewport();
  await app.post({ customer: 'Cobalt Labs' });
  await expect(toast(page)).toContainText('Alert from Cobalt Labs');
});
