import { format } from 'date-fns';
import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { expectAccessible, findings, findingsInThemes } from './support/axe.ts';
import { startAppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, toast } from './support/screen.ts';

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

test('an administrator is made when the role says so; the form is empty the next time', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const email = someEmail();
  await fillIn(page, { email, name: 'Tomás Vidal', password: 'tea at five' });
  await dialog(page).getByLabel('Role').selectOption('Admin');
  await submit(page);
  await expect(row(page, email)).toContainText('Admin');
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Create User' }).click();
  for (const field of ['Email', 'Display Name']) await expect(dialog(page).getByLabel(field)).toHaveValue('');
  await expect(dialog(page).getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(dialog(page).getByLabel('Role')).toHaveValue('user');
});

test('what is missing or malformed is asked for before anything is sent', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  await fillIn(page, { email: '', name: '', password: '' });
  const [email, name, password] = ['Email', 'Display Name', 'Password'].map((label) =>
    dialog(page).getByLabel(label, { exact: true }),
  );
  if (!email || !name || !password) throw new Error('A field is missing.');
  await submit(page);
  await expect(email).toHaveJSProperty('validity.valueMissing', true);
  await email.fill('not an address');
  await submit(page);
  await expect(email).toHaveJSProperty('validity.typeMismatch', true);
  await email.fill(someEmail());
  await name.fill('   ');
  await submit(page);
  await expect(name).toHaveJSProperty('validity.valid', false);
  await name.fill('Somebody');
  await password.pressSequentially('12345');
  await submit(page);
  await expect(password).toHaveJSProperty('validity.tooShort', true);
  expect(sent).toEqual([]);
});

test('what the server does not take is shown with its own message', async ({ openAs, mara }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await fillIn(page, { email: mara.email.toUpperCase(), name: 'Another Mara', password: 'tea at six' });
  await submit(page);
  await expect(toast(page)).toContainText('Failed to create user');
  await expect(toast(page)).toContainText('409: There is an account with the e-mail');
  await expect(dialog(page)).toBeVisible();

  await dialog(page).getByLabel('Email').fill(someEmail());
  await dialog(page).getByLabel('Password', { exact: true }).fill('ü'.repeat(37));
  await submit(page);
  await expect(toast(page)).toContainText('Password must be at most 72 bytes');
});

test('a password can be shown, suggested and copied', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await fillIn(page, { email: '', name: '', password: 'tea at seven' });
  const password = dialog(page).getByLabel('Password', { exact: true });
  await expect(password).toHaveAttribute('type', 'password');
  await dialog(page).getByRole('button', { name: 'Show password' }).click();
  await expect(password).toHaveAttribute('type', 'text');
  await dialog(page).getByRole('button', { name: 'Hide password' }).click();
  await expect(password).toHaveAttribute('type', 'password');
  await dialog(page).getByRole('button', { name: 'Suggest a password' }).click();
  await expect(password).toHaveValue(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  await expect(password).toHaveAttribute('type', 'text');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog(page).getByRole('button', { name: 'Copy password' }).click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(await password.inputValue());
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

test('before an account is disabled it is asked where its open alerts go', async ({ app, openAs, mara }) => {
  const ines = await app.addMember('Ines Duarte', 'user');
  const [page, theirs] = [await openAs(ADMINISTRATOR, '/admin/users'), await openAs(ines, '/my-alerts')];
  const id = await app.post({ customer: 'Left behind' });
  const users = (await (await app.admin.request('GET', '/api/auth/users')).json()) as { id: string; email: string }[];
  const userId = users.find(({ email }) => email === mara.email)?.id;
  await app.admin.request('POST', `/api/alerts/${id}/assign`, { userId });
  await row(page, mara.email).getByRole('button', { name: 'Disable' }).click();
  await expect(dialog(page)).toContainText('Mara Lindqvist has 1 open alert.');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(row(page, mara.email).getByRole('button', { name: 'Disable' })).toBeFocused();
  await expect(row(page, mara.email)).toContainText('Active');
  await row(page, mara.email).getByRole('button', { name: 'Disable' }).click();
  await dialog(page).getByText('goes to a colleague').click();
  await expect(dialog(page).getByRole('button', { name: 'Disable' })).toBeDisabled();
  await dialog(page).getByRole('button', { name: 'To', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Ines Duarte/ }).click();
  await dialog(page).getByRole('button', { name: 'Disable' }).click();
  await expect(row(page, mara.email)).toContainText('Disabled');
  await expect(card(theirs, 'Left behind')).toBeVisible();
});

test('undo leaves an account alone that another administrator has enabled meanwhile', async ({ app, openAs, mara }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await row(page, mara.email).getByRole('button', { name: 'Disable' }).click();
  await expect(toast(page)).toContainText('User status updated');
  await toast(page).hover();
  const users = async () =>
    (await (await app.admin.request('GET', '/api/auth/users')).json()) as {
      id: string;
      email: string;
      isActive: boolean;
    }[];
  const hers = async () => (await users()).find(({ email }) => email === mara.email);
  await app.admin.request('PATCH', `/api/auth/users/${(await hers())?.id}/toggle-active`, { active: true });
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, mara.email)).toContainText('Active');
  expect((await hers())?.isActive).toBe(true);
});

test('nobody can disable themselves, and the server says so', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await row(page, ADMINISTRATOR.email).getByRole('button', { name: 'Disable' }).click();
  await expect(toast(page)).toContainText('409: You cannot disable your own account.');
  await expect(row(page, ADMINISTRATOR.email)).toContainText('Active');
});

test('a password is reset; one that is too short is not sent', async ({ open, openAs, mara }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  const button = row(page, mara.email).getByRole('button', { name: 'Reset Password' });
  await button.click();
  await expect(dialog(page)).toContainText('Mara Lindqvist');
  const password = dialog(page).getByLabel('New Password');
  await expect(password).toBeFocused();
  await password.fill('12345');
  await dialog(page).getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page)).toContainText('Invalid password');
  await expect(toast(page)).toContainText('Password must be at least 6 characters');
  await password.fill('1234567');
  await dialog(page).getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page).filter({ hasText: 'Password must be at least 8 characters' }).first()).toBeVisible();
  await password.fill('password123');
  await dialog(page).getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page).filter({ hasText: 'one of those that everybody tries' }).first()).toBeVisible();
  expect(await findings(page)).toEqual([]);

  await password.fill('ü'.repeat(37));
  await dialog(page).getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page)).toContainText('Password must be at most 72 bytes');

  await password.fill('a new secret');
  await dialog(page).getByRole('button', { name: 'Reset Password' }).click();
  await expect(toast(page)).toContainText('Password reset');
  await expect(dialog(page)).toHaveCount(0);
  await expect(button).toBeFocused();

  const theirs = await open('/login');
  await theirs.getByLabel('Email').fill(mara.email);
  await theirs.getByLabel('Password', { exact: true }).fill('a new secret');
  await theirs.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(theirs.getByText('All caught up!')).toBeVisible();
});

test('a list that cannot be read says so, and can be asked for again', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  // Only what is asked for after the click is answered: the list is also read again by itself.
  let isAskedFor = false;
  await page.exposeFunction('noteClick', () => (isAskedFor = true));
  await page.route('**/api/auth/users', (route) =>
    isAskedFor ? route.continue() : route.fulfill({ status: 503, body: 'The database is away.' }),
  );
  await page.goto('/admin/users');
  await expect(page.getByText('Users could not be loaded')).toBeVisible();
  await expect(page.getByText('503: The database is away.')).toBeVisible();
  await page.evaluate('addEventListener("click", () => noteClick(), { capture: true })');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(row(page, ADMINISTRATOR.email)).toBeVisible();
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

test('the break-glass administrator is marked, and what the app does not change of it says why', async ({ openAs }) => {
  const app = await startAppServer({ BREAK_GLASS_ADMIN: ADMINISTRATOR.email });
  try {
    const other = await app.addMember('Other Administrator', 'admin');
    const page = await openAs(other, '/admin/users', { app });
    const marked = row(page, ADMINISTRATOR.email);
    const reason = 'Changed on the server alone, by npm run user.';
    await expect(marked).toContainText('Break-glass');
    await expect(marked).toContainText(reason);
    await expect(row(page, other.email)).not.toContainText('Break-glass');
    for (const name of ['Reset Password', 'Disable']) {
      const button = marked.getByRole('button', { name });
      await expect(button).toHaveAttribute('aria-disabled', 'true');
      await expect(button).toHaveAccessibleDescription(/Changed on the server alone, by npm run user\./);
      await button.click({ force: true });
    }
    await expect(dialog(page)).toHaveCount(0);
    await expect(toast(page)).toHaveCount(0);

    // Where they are signed in is seen, and ended, as everybody's.
    await marked.getByRole('button', { name: 'Edit' }).click();
    await expect(dialog(page)).toContainText(reason);
    for (const field of ['Email', 'Display Name', 'Role']) await expect(dialog(page).getByLabel(field)).toBeDisabled();
    await expect(dialog(page).getByRole('button', { name: 'Save' })).toBeDisabled();
    expect(await findingsInThemes(page)).toEqual([]);
  } finally {
    await app.dispose();
  }
});
