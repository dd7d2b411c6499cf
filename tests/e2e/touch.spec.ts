import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';

/** Side of a touch target in pixels (tokens.md: 40 everywhere on coarse pointers). */
const TARGET = 40;

/**
 * What is too small for a finger on the page, as text. Links in running text are exempt, and so are the segments of a
 * control, whose padding belongs to them.
 */
const tooSmall = async (page: Page): Promise<string[]> => {
  const targets = page
    .locator(
      'header button, main button, main a, main input:not([type="checkbox"]), main select, main label.bp6-control',
    )
    .and(page.locator(':not(.ad-link, .bp6-segmented-control > *)'))
    .filter({ visible: true });
  const all = await Promise.all(
    (await targets.all()).map(async (target) => ({ box: await target.boundingBox(), text: await target.innerText() })),
  );
  return all
    .filter(({ box }) => box !== null && (box.height < TARGET || box.width < TARGET / 2))
    .map(({ box, text }) => `${text} ${box?.width}×${box?.height}`);
};

for (const [path, shows] of [
  ['/settings', 'Customer Notification Preferences'],
  ['/admin', 'User Management'],
  ['/admin/users', 'Reset Password'],
  ['/admin/api-keys', 'New Key'],
  ['/admin/webhook', 'Send test alert'],
  ['/admin/alerts', 'Completed'],
] as const) {
  test(`${path} is made for fingers`, async ({ app, openAs }) => {
    for (const customer of ['Atlas', 'Kestrel', 'Meridian', 'Oakline', 'Tern', 'Zenith'])
      await app.post({ customer, type: 'touch', a: 1, b: 2, c: 3, d: 4, e: 5 });
    const page = await openAs(ADMINISTRATOR, path, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await expect(page.getByText(shows).first()).toBeVisible();
    await expect.poll(() => tooSmall(page)).toEqual([]);
  });
}
