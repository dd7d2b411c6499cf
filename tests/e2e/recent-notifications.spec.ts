import type { Page } from '@playwright/test';
import type { Person } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { accountButton, card, connected, toast } from './support/screen.ts';

const recent = (page: Page) => page.getByRole('dialog', { name: 'Recent notifications' });
const open = (page: Page) => page.getByRole('button', { name: 'Recent notifications' }).click();
const rows = (page: Page) => recent(page).getByRole('listitem');

test('a reload keeps them, and the next person does not read them', async ({ app, open: openBrowser, mara }) => {
  await app.post({ customer: 'Atlas Freight' });
  const page = await openBrowser('/login');
  const signIn = async ({ email, password }: Person): Promise<void> => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await connected(page);
  };
  await signIn(mara);
  await card(page, 'Atlas Freight').getByRole('button', { name: 'Accept' }).click();
  await expect(toast(page)).toContainText('Alert accepted');
  await page.reload();
  await connected(page);
  await open(page);
  await expect(rows(page).first()).toContainText('Alert from Atlas Freight');
  await page.keyboard.press('Escape');

  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await signIn(await app.addMember('Jonas Weber'));
  await open(page);
  await expect(recent(page)).toContainText('Nothing in the last 16 minutes');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Atlas Freight');
});
