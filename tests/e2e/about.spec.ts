import { PRODUCT_BUILD_DATE } from '#backend/contract/product.ts';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton } from './support/screen.ts';

test('About shows version, build date and platform in both themes, and gives the focus back', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/');
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'About' }).click();
  const about = page.getByRole('dialog', { name: 'About Alertdesk' });
  for (const text of ['Version 1.0.3', 'Build date', PRODUCT_BUILD_DATE, 'Platform', 'Web Browser'])
    await expect(about).toContainText(text);
  await expect(about.getByText('Web', { exact: true })).toBeVisible();
  await expect(about).toContainText('Press F12 to open DevTools.');
  const web = about.getByRole('link', { name: 'Open web version' });
  await expect(web).toHaveAttribute('href', app.url.origin);
  const source = about.getByRole('link', { name: 'Source repository' });
  await expect(source).toHaveAttribute('href', 'https://github.com/alertdesk/alertdesk');
  for (const link of [web, source]) {
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(link).toHaveAttribute('rel', /noopener/);
  }
  expect(await findingsInThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(about).toHaveCount(0);
  await expect(accountButton(page, ADMINISTRATOR)).toBeFocused();

  // From the sheet of a narrow screen, too.
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Toggle the sidebar' }).click();
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'About' }).click();
  await expect(about).toBeInViewport({ ratio: 1 });
  await about.getByRole('button', { name: 'Close' }).click();
  await expect(about).toHaveCount(0);
});
