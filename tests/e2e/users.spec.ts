import { format } from 'date-fns';
import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';

const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: text });

const dialog = (page: Page) => page.getByRole('dialog');

test('a user is made, listed with role, state and date, and can sign in', async ({ app, open, openAs }) => {
  await app.addMember(
    'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة 🚨 of the United Municipalities',
    'super_user',
  );
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const count = page.getByText(/total users|^\d+ user$/);
  await expect(count).toBeVisible();
  const before = Number.parseInt((await count.textContent()) ?? '', 10);
  const email = `${uuidv7()}@example.org`;
  await page.getByRole('button', { name: 'Create User' }).click();
  await expect(dialog(page).getByLabel('Email')).toBeFocused();
  expect(await findingsInThemes(page)).toEqual([]);
  await dialog(page).getByLabel('Email').fill(email);
  await dialog(page).getByLabel('Display Name').fill('Priya Raman');
  await dialog(page).getByLabel('Password', { exact: true }).fill('tea at four');
  await expect(dialog(page).getByLabel('Role')).toHaveValue('user');
  await expect(dialog(page).getByLabel('Role').getByRole('option')).toHaveText(['User', 'Admin']);
  await dialog(page).getByRole('button', { name: 'Create User' }).click();

  await expect(toast(page)).toContainText('User created');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText(`${before + 1} total users`)).toBeVisible();
  for (const text of ['Priya Raman', 'User', 'Active', `Created ${format(new Date(), 'MMM d, yyyy')}`])
    await expect(row(page, email)).toContainText(text);
  await expect(row(page, ADMINISTRATOR.email)).toContainText('Admin');
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expectAccessible(page);

  const theirs = await open('/login');
  await theirs.getByLabel('Email').fill(email);
  await theirs.getByLabel('Password', { exact: true }).fill('tea at four');
  await theirs.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(theirs.getByText('All caught up!')).toBeVisible();
});
