import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';

/** Side of a touch target in pixels: 40 everywhere on coarse pointers. */
const TARGET = 40;

/**
 * What fingers touch. Links in running text are exempt, and so are a control's segments, whose padding is the control's,
 * and a card's headline: the whole card is its target.
 */
const TARGETS = [
  'header button',
  'main button',
  'main a',
  'main input:not([type="checkbox"])',
  'main select',
  'main label.bp6-control',
]
  .map((selector) => `${selector}:not(.ad-link, .ad-card-link, .bp6-segmented-control > *)`)
  .join(', ');

/** What is too small for a finger on the page, as text. Asked in one go: settings can list hundreds of customers. */
const tooSmall = (page: Page): Promise<string[]> =>
  page.locator(TARGETS).evaluateAll(
    (elements, side) =>
      elements
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => ({ box: element.getBoundingClientRect(), text: element.textContent }))
        .filter(({ box }) => box.width > 0 && (box.height < side || box.width < side / 2))
        .map(({ box, text }) => `${text} ${box.width}×${box.height}`),
    TARGET,
  );

test('settings and the pages of the Admin Panel are made for fingers', async ({ app, openAs }) => {
  for (const customer of ['Atlas', 'Kestrel', 'Meridian', 'Oakline', 'Tern', 'Zenith'])
    await app.post({ customer, type: 'touch', a: 1, b: 2, c: 3, d: 4, e: 5 });
  const page = await openAs(ADMINISTRATOR, '/', {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  for (const [path, shows] of [
    ['/settings', 'Customer Notification Preferences'],
    ['/admin', 'User Management'],
    ['/admin/users', 'Reset Password'],
    ['/admin/api-keys', 'New Key'],
    ['/admin/webhook', 'Send test alert'],
    ['/admin/alerts', 'Completed'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByText(shows).first()).toBeVisible();
    await expect.poll(() => tooSmall(page), { message: path }).toEqual([]);
  }
  await page
    .locator('article')
    .first()
    .tap({ position: { x: 8, y: 8 } });
  await expect(page).toHaveURL(/\/alert\//);
});
