import type { Page } from '@playwright/test';
import { PATHS } from '#renderer/lib/paths.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card } from './support/screen.ts';

// Bars that load are animated.
test.use({ moving: true });

/** Holds the answers to what matches until it is released. */
async function hold(page: Page, what: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** After how many milliseconds the animations of a list that loads begin, each number once. */
const DELAYS = `[...new Set(document.querySelector('.alert-list__loading').getAnimations({ subtree: true })
  .map(({ effect }) => effect.getTiming().delay))]`;

test('while the session is checked there is Loading..., while a list is, there are bars', async ({ app, openAs }) => {
  await app.post({ customer: 'Waiting' });
  const page = await openAs(ADMINISTRATOR);
  const session = await hold(page, '**/api/auth/session');
  const inbox = await hold(page, '**/api/alerts/inbox?*');
  await page.reload();
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  session();
  await expect(page.locator('.alert-list__loading')).toBeVisible();
  // Nothing moves while it is not shown yet.
  expect(await page.evaluate(DELAYS)).toEqual([150]);
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0);
  await expect(page.getByText('All caught up!')).toHaveCount(0);
  inbox();
  await expect(card(page, 'Waiting')).toBeVisible();
  await expect(page.locator('.alert-list__loading')).toHaveCount(0);
});

test('a panel that cannot be loaded says what, and its button keeps clear of the reason', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.route('**/api/auth/tokens', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto(PATHS.account);
  const panel = page.getByRole('alert').filter({ hasText: 'API tokens could not be loaded' });
  const text = await panel.getByRole('paragraph').boundingBox();
  const button = await panel.getByRole('button', { name: 'Try again' }).boundingBox();
  expect((button?.y ?? 0) - (text?.y ?? 0) - (text?.height ?? 0)).toBe(20);
});

test('a printed page goes over as many sheets as it needs, without sidebar and header', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, PATHS.account, { viewport: { width: 1024, height: 400 } });
  await expect(page.getByText('Sessions', { exact: true })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.evaluate('document.documentElement.scrollHeight')).toBeGreaterThan(800);
  await expect(page.getByRole('complementary', { name: 'Sidebar' })).toBeHidden();
  await expect(page.getByRole('banner')).toBeHidden();
});

test('a name that reads from right to left begins at the right, so that its end is what is cut', async ({
  app,
  openAs,
  mara,
}) => {
  const name = 'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة';
  await (await queueOf(app, mara)).folder(name);
  await app.post({ customer: name, type: 'نوع التنبيه', title: 'القرص ممتلئ', الجهاز: 'الخادم الأول' });
  const page = await openAs(mara);
  await expect(card(page, name).locator('.alert-card__customer')).toHaveCSS('direction', 'rtl');
  await expect(card(page, name).locator('.alert-card__type')).toHaveCSS('direction', 'rtl');
  await expect(card(page, name).locator('.fields-zone__fieldValue')).toHaveCSS('direction', 'rtl');
  await expect(page.getByRole('treeitem').locator('.folder-tree__name')).toHaveCSS('direction', 'rtl');
  await app.post({ customer: 'Nordwind', host: 'db-7.example.com', الرسالة: 'full' });
  await expect(card(page, 'Nordwind').locator('.alert-card__customer')).toHaveCSS('direction', 'ltr');
});
