import { format } from 'date-fns';
import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { connected, toast } from './support/screen.ts';

const row = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: text });

const dialog = (page: Page) => page.getByRole('dialog');

const someEmail = (): string => `${uuidv7()}@example.org`;

async function fillIn(page: Page, fields: { email: string; name: string; password: string }): Promise<void> {
  await page.getByRole('button', { name: 'Create User' }).click();
  await expect(dialog(page).getByLabel('Email')).toBeFocused();
  await dialog(page).getByLabel('Email').fill(fields.email);
  await dialog(page).getByLabel('Display Name').fill(fields.name);
  await dialog(page).getByLabel('Password', { exact: true }).fill(fields.password);
}

const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Create User' }).click();

test('a user is made, listed with role, state and date, and can sign in', async ({ open, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const count = page.getByText(/total users|^\d+ user$/);
  await expect(count).toBeVisible();
  const before = Number.parseInt((await count.textContent()) ?? '', 10);
  const email = someEmail();
  await fillIn(page, { email, name: 'Priya Raman', password: 'tea at four' });
  await expect(dialog(page).getByLabel('Role')).toHaveValue('user');
  await expect(dialog(page).getByLabel('Role').getByRole('option')).toHaveText(['User', 'Admin']);
  await submit(page);

  await expect(toast(page)).toContainText('User created');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByText(`${before + 1} total users`)).toBeVisible();
  for (const text of ['Priya Raman', 'User', 'Active', `Created ${format(new Date(), 'MMM d, yyyy')}`])
    await expect(row(page, email)).toContainText(text);
  await expect(row(page, ADMINISTRATOR.email)).toContainText('Admin');

  const theirs = await open('/login');
  await theirs.getByLabel('Email').fill(email);
  await theirs.getByLabel('Password', { exact: true }).fill('tea at four');
  await theirs.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(theirs.getByText('All caught up!')).toBeVisible();
});

test('an account takes the place of its invitation, also in front of another administrator', async ({ openAs }) => {
  const [page, other] = [await openAs(ADMINISTRATOR, '/admin/users'), await openAs(ADMINISTRATOR, '/admin/users')];
  await Promise.all([connected(page), connected(other)]);
  const email = someEmail();
  const invitation = (at: Page) =>
    at.getByRole('list', { name: 'Pending links' }).getByRole('listitem').filter({ hasText: email });
  await page.getByRole('button', { name: 'Invite' }).click();
  await dialog(page).getByLabel('Email').fill(email);
  await dialog(page).getByLabel('Display Name').fill('Noor Haddad');
  await dialog(page).getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(invitation(other)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await fillIn(page, { email, name: 'Noor Haddad', password: 'tea at four' });
  await submit(page);
  await expect(row(other, email)).toContainText('Noor Haddad');
  for (const at of [page, other]) await expect(invitation(at)).toHaveCount(0);
});

test('an account is disabled, which ends its sessions, and enabled again from the toast', async ({ openAs, mara }) => {
  const [page, theirs] = [await openAs(ADMINISTRATOR, '/admin/users'), await openAs(mara)];
  await expect(theirs.getByText('Connected', { exact: true })).toBeVisible();
  await row(page, mara.email).getByRole('button', { name: 'Disable' }).click();
  await expect(toast(page)).toContainText('User status updated');
  await expect(row(page, mara.email)).toContainText('Disabled');
  await expect(theirs).toHaveURL('/login');
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, mara.email)).toContainText('Active');
  await expect(row(page, mara.email).getByRole('button', { name: 'Disable' })).toBeVisible();
});

test('User Management is accessible in both themes', async ({ app, openAs }) => {
  await app.addMember(
    'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة 🚨 of the United Municipalities',
    'super_user',
  );
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await expect(row(page, ADMINISTRATOR.email)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Create User' }).click();
  await expect(dialog(page)).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
});
