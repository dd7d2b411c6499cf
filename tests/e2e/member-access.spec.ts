import type { Locator, Page } from '@playwright/test';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';

const row = (page: Page, email: string): Locator => page.getByRole('listitem').filter({ hasText: email });
const dialog = (page: Page): Locator => page.getByRole('dialog');

test('an account gets another e-mail and role, and its sessions and tokens are ended', async ({ openAs, mara }) => {
  const theirs = await openAs(mara, '/my-alerts');
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await row(page, mara.email).getByRole('button', { name: 'Edit' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Save' })).toBeDisabled();
  await expect(dialog(page).getByRole('list', { name: 'Sessions' }).getByRole('listitem').first()).toBeVisible();
  await expect(dialog(page)).toContainText('No tokens.');
  expect(await findingsInThemes(page)).toEqual([]);
  await dialog(page)
    .getByRole('button', { name: /^Sign out/ })
    .first()
    .click();
  await expect(dialog(page)).toContainText('Not signed in anywhere.');
  await expect(theirs).toHaveURL('/login');

  const email = `moved.${mara.email}`;
  await dialog(page).getByLabel('Email').fill(email);
  await dialog(page).getByLabel('Role').selectOption('Admin');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(toast(page).filter({ hasText: 'User updated' })).toContainText('is Admin now');
  await expect(row(page, email)).toContainText('Admin');

  await row(page, ADMINISTRATOR.email).getByRole('button', { name: 'Edit' }).click();
  await expect(dialog(page).getByLabel('Role')).toBeDisabled();
  await expect(dialog(page)).toContainText('This browser');
});
