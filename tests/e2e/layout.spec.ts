import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, connected, navigation } from './support/screen.ts';

const WEEK = 604_800;

test('the sidebar closes to icons by its button and by Ctrl+B, and is remembered for a week; on a narrow screen it is a sheet', async ({
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR);
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  const trigger = page.getByRole('button', { name: 'Toggle the sidebar' });
  await expect(sidebar).toHaveCSS('width', '256px');
  await trigger.click();
  await expect(sidebar).toHaveCSS('width', '48px');
  await expect(trigger).toHaveAttribute('aria-expanded', 'false');

  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state');
  expect(cookie?.value).toBe('false');
  expect(cookie?.expires).toBeCloseTo(Date.now() / 1000 + WEEK, -2);

  await page.reload();
  await expect(sidebar).toHaveCSS('width', '48px');
  await navigation(page, 'My Alerts').hover();
  await expect(page.locator('.bp6-tooltip')).toHaveText('My Alerts');
  await page.keyboard.press('Control+b');
  await expect(sidebar).toHaveCSS('width', '256px');

  // On a narrow screen it is a sheet, which Escape and going somewhere close.
  await page.setViewportSize({ width: 360, height: 740 });
  const sheet = page.locator('.main-layout__sheet');
  await trigger.click();
  await expect(sheet).toHaveCSS('width', '288px');
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(trigger).toBeFocused();

  await trigger.click();
  await navigation(page, 'My Alerts').click();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL('/my-alerts');
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'New Alerts' })).toBeVisible();
  await expect(sheet).toHaveCount(0);
});

test('the theme follows the system until one is chosen, which is there before the app is', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/', { colorScheme: 'dark' });
  const html = page.locator('html');
  await connected(page);
  await expect(html).toHaveClass(/bp6-dark/);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(html).not.toHaveClass(/bp6-dark/);
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await expect(html).toHaveClass(/bp6-dark/);

  await page.route('**/assets/main*.js', (route) => route.abort());
  await page.reload();
  await expect(html).toHaveClass(/bp6-dark/);
});
