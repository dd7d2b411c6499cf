import { PRODUCT_BUILD_DATE } from '#backend/contract/product.ts';
import { readFile } from 'node:fs/promises';
import { expect, test } from './support/fixtures.ts';

test('About and Settings have the desktop’s side: version, updates, log, DevTools, and the app’s own card', async ({
  launchSignedIn,
}) => {
  const { desktop, page } = await launchSignedIn();
  await desktop.chooseInTray('About Alertdesk');
  const about = page.getByRole('dialog', { name: 'About Alertdesk' });
  await expect(about).toContainText('Version 1.0.3');
  await expect(about).toContainText('Desktop');
  await expect(about).toContainText(PRODUCT_BUILD_DATE);
  await expect(about).toContainText('Press Ctrl+Shift+I to open DevTools.');
  await expect(about.getByRole('heading', { name: 'Software Updates' })).toBeVisible();
  await about.getByRole('button', { name: 'Check for updates' }).click();
  await expect(about.getByText('Only the installed app can update itself.')).toBeVisible();

  await about.getByRole('button', { name: 'Copy log path' }).click();
  await expect(page.getByText('Copied to clipboard').first()).toBeVisible();
  const path = await desktop.clipboard();
  await expect(about.getByText(path)).toBeVisible();
  expect(await readFile(path, 'utf8')).toContain('"level"');

  await page.keyboard.press('Escape');
  await expect(about).toBeHidden();
  await test.step('Settings has the desktop app’s own card in the place of the one that offers it', async () => {
    await page.getByRole('button', { name: 'admin@alertdesk.local' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const card = page.getByRole('region', { name: 'Desktop App' });
    await expect(card).toContainText('Server: this computer');
    await expect(page.getByText('Windows Desktop App')).toBeHidden();
    await expect(page.getByText('Download Latest Release')).toBeHidden();

    await card.getByText('Start with Windows').click();
    await expect(card.getByRole('checkbox', { name: 'Start with Windows' })).toBeChecked();
    await card.getByLabel('Updates').selectOption('Beta');
    await page.reload();
    await expect(card.getByRole('checkbox', { name: 'Start with Windows' })).toBeChecked();
    await expect(card.getByLabel('Updates')).toHaveValue('beta');
  });
});
