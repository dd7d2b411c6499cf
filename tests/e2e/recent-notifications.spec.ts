import type { Page } from '@playwright/test';
import type { Person } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { accountButton, card, connected, navigation, toast } from './support/screen.ts';

const recent = (page: Page) => page.getByRole('dialog', { name: 'Recent notifications' });
const open = (page: Page) => page.getByRole('button', { name: 'Recent notifications' }).click();
const rows = (page: Page) => recent(page).getByRole('listitem');

test('a row names its alert, leads to it, and undoes what can still be undone', async ({ app, openAs, mara }) => {
  for (const customer of ['Atlas Freight', 'Brightwater'])
    await app.post({ customer, type: 'disk.full', title: `Disk almost full at ${customer}` });
  const page = await openAs(mara);
  await connected(page);
  for (const customer of ['Atlas Freight', 'Brightwater']) {
    await card(page, customer).getByRole('button', { name: 'Accept' }).click();
    await expect(card(page, customer)).toHaveCount(0);
  }
  await expect(toast(page)).toHaveCount(0);

  await open(page);
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('disk.full from Brightwater: Disk almost full at Brightwater');
  await rows(page)
    .last()
    .getByRole('button', { name: /^Undo: Alert accepted, disk.full from Atlas Freight/ })
    .click();
  await expect(rows(page).last()).toContainText('Undone');
  await expect(card(page, 'Atlas Freight')).toBeVisible();
  await rows(page).first().getByRole('link').click();
  await expect(page).toHaveURL('/my-alerts');
  await expect(page.getByRole('article', { name: /Brightwater/ })).toBeFocused();
  await expect(recent(page)).toHaveCount(0);
});

test('what was changed elsewhere since is not undone', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Atlas Freight' });
  const page = await openAs(mara);
  await connected(page);
  await card(page, 'Atlas Freight').getByRole('button', { name: 'Accept' }).click();
  const queue = await queueOf(app, mara);
  // The card moves before the server has answered.
  await expect.poll(() => queue.mine()).toHaveLength(1);
  const [id = ''] = await queue.mine();
  await queue.setStatus(id, 'completed');
  await navigation(page, 'My Alerts').click();
  await expect(card(page, 'Atlas Freight').getByRole('radio', { name: 'Completed' })).toBeChecked();
  await open(page);
  await rows(page).first().getByRole('button', { name: /^Undo/ }).click();
  await expect(toast(page)).toContainText('It has been changed since.');
  await expect(card(page, 'Atlas Freight')).toBeVisible();
});

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
