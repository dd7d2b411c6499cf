import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, connected, toast } from './support/screen.ts';

test('signing out ends the session for good', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.evaluate("sessionStorage.setItem('note-draft of an alert', 'private')");
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  await expect(toast(page)).toContainText('Logged out');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);
  await page.goto('/my-alerts');
  await expect(page).toHaveURL('/login');
});

test('a session that ends elsewhere ends on the open screen', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // The same session in another tab; the tab that stays receives the end over its live connection.
  const other = await page.context().newPage();
  await other.goto('/');
  await accountButton(other, ADMINISTRATOR).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
});
