import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, toast } from './support/screen.ts';

test('a test alert takes the whole path, and the page sees it arrive; the address is copied, which the button shows for two seconds', async ({
  app,
  openAs,
  mara,
}) => {
  const [page, theirs] = [await openAs(ADMINISTRATOR, '/admin/webhook'), await openAs(mara)];
  await Promise.all([connected(page), connected(theirs)]);
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText(/^Arrived in New Alerts after \d+ ms\.$/)).toBeVisible();
  await expect(toast(page)).toContainText('Alert from Test alert');
  await expect(card(theirs, 'Test alert')).toContainText('Sent from the Webhook Endpoint page');
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = page.getByRole('button', { name: 'Copy URL' });
  const tick = copy.locator('[data-icon="tick"]');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  await expect(tick).toHaveCount(1);
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${app.url.origin}/webhook`);
  await page.clock.runFor(1999);
  await expect(tick).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(tick).toHaveCount(0);
  await page.clock.resume();

  await page.getByRole('main').getByRole('link', { name: 'New Alerts' }).click();
  await expect(page).toHaveURL('/');
  await expect(card(page, 'Test alert')).toBeVisible();
});
