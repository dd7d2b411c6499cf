import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';

const proof = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

test('what decides who gets in asks for the password over what one was doing, and goes on with it', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const form = page.getByRole('dialog', { name: 'Create User' });
  const email = `${uuidv7()}@example.org`;
  await page.getByRole('button', { name: 'Create User' }).click();
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Display Name').fill('Priya Raman');
  await form.getByLabel('Password', { exact: true }).fill('tea at four');
  await app.forgetProofs(ADMINISTRATOR);
  await page.keyboard.press('Enter');

  await expect(proof(page).getByLabel('Password')).toBeFocused();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('This is not your current password.');
  await expect(proof(page).getByLabel('Password')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(proof(page)).toHaveCount(0);
  await expect(toast(page)).toContainText('You did not confirm that it is you. Nothing has changed.');
  await expect(form.getByLabel('Email')).toHaveValue(email);
  await expect(form.locator(':focus')).toHaveCount(1);

  await form.getByRole('button', { name: 'Create User' }).click();
  await proof(page).getByLabel('Password').fill(ADMINISTRATOR.password);
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('User created');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // From then on not again, also where no dialog is open.
  const row = page.getByRole('listitem').filter({ hasText: email });
  await row.getByRole('button', { name: 'Disable' }).click();
  await expect(row).toContainText('Disabled');
  await app.forgetProofs(ADMINISTRATOR);
  await row.getByRole('button', { name: 'Enable' }).click();
  await proof(page).getByLabel('Password').fill(ADMINISTRATOR.password);
  await proof(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(row).toContainText('Active');
});
