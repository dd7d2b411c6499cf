import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
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

/** What the toast says and does not show whole, and its buttons that have no room. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const toast = document.querySelector('.toaster__toast');
    const box = toast.getBoundingClientRect();
    return [...toast.querySelectorAll('*')].filter((element) => {
      if (element.closest('.ad-hidden, svg')) return false;
      const hasText = [...element.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== '');
      if (!hasText && element.tagName !== 'BUTTON') return false;
      const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
      // Above and below its letters a line has 2 px of its own.
      const isInside = left >= box.left && right <= box.right && top >= box.top - 2 && bottom <= box.bottom + 2;
      const isWhole = element.scrollWidth <= element.clientWidth + 1 && element.scrollHeight <= element.clientHeight + 1;
      return width < 10 || height < 12 || !isInside || !isWhole;
    }).map(({ textContent, tagName }) => textContent || tagName);
  })()`);

/** A problem as its sender reports it. */
const report = (status: 'firing' | 'resolved') => ({
  version: '4',
  status,
  receiver: 'alertdesk',
  alerts: [
    {
      status,
      labels: { alertname: 'HostOutOfDiskSpace', instance: 'db-7:9100', severity: 'critical', cluster: 'Nordwind' },
      annotations: { summary: 'Disk almost full on db-7' },
      startsAt: '2026-11-21T09:00:00.000Z',
      fingerprint: 'db-7',
    },
  ],
});

const WIDTHS = [1440, 1024, 768, 390, 360];

/** At each width what of the toast is cut, and what it lies over. */
async function faultsOf(page: Page): Promise<string[]> {
  const found: string[] = [];
  // A toast that has the focus stays: while the window changes its width, the pointer is beside it.
  await toast(page).getByRole('button', { name: 'Close' }).focus();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await toast(page).hover();
    for (const text of await cut(page)) found.push(`${width} cuts ${text}`);
    for (const text of await covered(page)) found.push(`${width} covers ${text}`);
  }
  return found;
}

test('a toast shows which alert it is about, how many are critical and who was quicker, however wide the window is', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  for (let count = 0; count < 12; count += 1) await queue.accept({ customer: `Mine ${count}`, host: 'db-7', a: 1 });
  const page = await openAs(mara, '/my-alerts');
  await page.getByRole('heading', { name: 'My Alerts', exact: true }).waitFor();
  await connected(page);
  await app.post(report('firing'));
  await expect(toast(page)).toContainText('Disk almost full on db-7');
  await toast(page).hover();
  await expect(toast(page).locator('.severity-mark__mark_critical')).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
  for (const severity of ['critical', 'critical', 'high', 'low'])
    await app.post({ customer: `Storm of ${severity}`, severity });
  await expect(toast(page)).toContainText('3 critical');
  expect(await faultsOf(page)).toEqual([]);
  await toast(page).getByRole('button', { name: 'Close' }).click();

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto('/');
  await connected(page);
  const ann = await queueOf(app, ADMINISTRATOR);
  const [first] = await app.inbox();
  await page.route('**/api/alerts/bulk', async (route) => {
    await ann.client.request('POST', `/api/alerts/${first?.id}/accept`);
    await route.continue();
  });
  await expect(page.getByRole('article')).toHaveCount(5);
  await page.keyboard.press('Control+A');
  await expect(page.getByRole('toolbar', { name: '5 selected' })).toBeVisible();
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('4 accepted, 1 was taken by Administrator');
  expect(await faultsOf(page)).toEqual([]);
  await toast(page).getByRole('button', { name: 'Close' }).click();

  await app.post(report('resolved'));
  await expect(toast(page)).toContainText('Resolved by its sender');
  await toast(page).hover();
  await expect(toast(page)).toContainText('Still Accepted in your queue');
  await expect(toast(page).getByText(/Disk almost full on db-7$/)).toBeVisible();
  expect(await faultsOf(page)).toEqual([]);
});

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
    // Once it has slid in.
    await expect.poll(() => overBar(page)).toBe(width < 768 ? 8 : null);
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
  // What is on the screen is looked at for a quarter of a second: whoever leaves it before has a toast.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1_000))');
  // At once: a toast that came would go by itself.
  expect(await toast(page).count()).toBe(0);

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
