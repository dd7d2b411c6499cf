import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import {
  card,
  connected,
  folderCount,
  folderRow,
  navigation,
  openCardMenu,
  openMoveMenu,
  toast,
} from './support/screen.ts';

const customers = (page: Page) => page.getByRole('feed').locator('.ad-card-customer');
const sort = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Sort' }).getByRole('radio', { name, exact: true });
const menuItems = (page: Page) => page.getByRole('menu', { name: 'Alert actions' }).getByRole('menuitem');
const moveEntries = (page: Page) => page.getByRole('menu', { name: 'Move to' }).getByRole('menuitem');

test('an empty queue leads to the inbox', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/my-alerts');
  await expect(page.getByText('No alerts yet', { exact: true })).toBeVisible();
  await expect(page.getByText('Accept alerts from the inbox to see them here in your personal queue.')).toBeVisible();
});

test('the queue is sorted newest first, oldest first or by status, as the server answers it', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  for (const [customer, status] of [
    ['First', 'completed'],
    ['Second', 'in-progress'],
    ['Third', 'accepted'],
    ['Fourth', 'in-progress'],
  ] as const)
    await queue.setStatus(await queue.accept({ customer }), status);
  const page = await openAs(mara, '/my-alerts');
  await expect(page.getByRole('heading', { name: 'My Alerts' })).toBeVisible();
  await expect(page.getByText('4 in your queue')).toBeVisible();
  await expect(sort(page, 'Newest')).toBeChecked();
  await expect(customers(page)).toHaveText(['Fourth', 'Third', 'Second', 'First']);

  const asked = page.waitForRequest(/\/api\/alerts\/mine\?sort=oldest/);
  await sort(page, 'Oldest').click();
  await asked;
  await expect(customers(page)).toHaveText(['First', 'Second', 'Third', 'Fourth']);
  await expect(page).toHaveURL('/my-alerts?sort=oldest');

  await sort(page, 'By Status').click();
  await expect(customers(page)).toHaveText(['Third', 'Fourth', 'Second', 'First']);
  // A change of status takes its card to its place at once.
  await card(page, 'Fourth').getByRole('radio', { name: 'Completed' }).click();
  await expect(customers(page)).toHaveText(['Third', 'Second', 'Fourth', 'First']);
  await page.reload();
  await expect(sort(page, 'By Status')).toBeChecked();
  await expect(customers(page)).toHaveText(['Third', 'Second', 'Fourth', 'First']);
});

test('what is accepted elsewhere comes in its place', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const old = await app.post({ customer: 'Old' });
  await queue.accept({ customer: 'Newer' });
  const page = await openAs(mara, '/my-alerts?sort=oldest');
  await connected(page);
  await expect(customers(page)).toHaveText(['Newer']);
  await queue.client.request('POST', `/api/alerts/${old}/accept`);
  await expect(customers(page)).toHaveText(['Old', 'Newer']);
});

test('without folders there is nowhere to move to', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).accept({ customer: 'One' });
  const page = await openAs(mara, '/my-alerts');
  await openCardMenu(page, 'One');
  await expect(menuItems(page)).toHaveText([
    'UnacceptU',
    'Assign…⇧A',
    'SnoozeS',
    'MuteL',
    'Write a noteC',
    'Copy link',
  ]);
});

test('an alert moves to a folder by its menu, and back by Undo; its history shows it', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  const urgent = await queue.folder('Urgent', { color: 'red' });
  await queue.folder('Payments', { parentId: urgent });
  await queue.accept({ customer: 'One' });
  const page = await openAs(mara, '/my-alerts');
  await openMoveMenu(page, 'One');
  await expect(moveEntries(page)).toHaveText(['Move to Urgent', 'Move to Payments']);
  await expect(page.getByRole('searchbox', { name: 'Filter folders' })).toHaveCount(0);
  await moveEntries(page).filter({ hasText: 'Payments' }).click();
  await expect(toast(page)).toContainText('Alert moved');
  await expect(toast(page)).toContainText('Moved to Payments');
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await expect(folderCount(page, 'Payments')).toHaveText('1');
  await expect(folderCount(page, 'Urgent')).toHaveText('');

  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'One')).toBeVisible();
  await expect(folderCount(page, 'Payments')).toHaveText('');
  await card(page, 'One').hover();
  await card(page, 'One').getByRole('button', { name: 'Alert history' }).click();
  const history = page.getByRole('dialog', { name: 'Alert History' });
  await expect(history.getByText('Move Folder')).toHaveCount(2);
  await expect(history).toContainText('None → Payments');
  await expect(history).toContainText('Payments → None');
  await expect(history).toContainText('By Mara Lindqvist');
});

test('from eight folders on they can be filtered, all by the keyboard', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta', 'Theta']) await queue.folder(name);
  await queue.accept({ customer: 'One' });
  const page = await openAs(mara, '/my-alerts');
  const button = card(page, 'One').getByRole('button', { name: 'More actions' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Unaccept' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Move to', exact: true })).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('m');
  await expect(page.getByRole('menuitem', { name: 'Move to', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  const field = page.getByRole('searchbox', { name: 'Filter folders' });
  await expect(field).toBeFocused();
  await expect(moveEntries(page)).toHaveCount(8);
  await page.keyboard.type('ETA');
  await expect(moveEntries(page)).toHaveText(['Move to Beta', 'Move to Zeta', 'Move to Eta', 'Move to Theta']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Move to Zeta' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem', { name: 'Move to', exact: true })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await page.keyboard.type('zet');
  await page.keyboard.press('Enter');
  await expect(toast(page)).toContainText('Moved to Zeta');
});

test('a move that fails is taken back and reported', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'One' });
  const page = await openAs(mara, '/my-alerts');
  await page.route('**/api/webhooks/*/move', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await openMoveMenu(page, 'One');
  await moveEntries(page).click();
  await expect(toast(page)).toContainText('Could not move the alert');
  await expect(toast(page)).toContainText('503: The database is away.');
  await expect(card(page, 'One')).toBeVisible();
  await expect(folderCount(page, 'Urgent')).toHaveText('');
});

test('deleting from the queue is for administrators', async ({ app, openAs, mara }) => {
  await (await queueOf(app, mara)).accept({ customer: 'Hers' });
  await (await queueOf(app, ADMINISTRATOR)).accept({ customer: 'His' });
  const [hers, his] = [await openAs(mara, '/my-alerts'), await openAs(ADMINISTRATOR, '/my-alerts')];
  await openCardMenu(hers, 'Hers');
  await expect(hers.getByRole('menuitem', { name: 'Unaccept' })).toBeVisible();
  await expect(hers.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0);
  await openCardMenu(his, 'His');
  await his.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(toast(his)).toContainText('Alert deleted');
});

test('one person in two windows sees one queue', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'One' });
  const [one, other] = [await openAs(mara, '/my-alerts'), await openAs(mara, '/my-alerts')];
  await Promise.all([connected(one), connected(other)]);
  await openMoveMenu(one, 'One');
  await moveEntries(one).click();
  await expect(other.getByText('No alerts yet')).toBeVisible();
  await expect(folderCount(other, 'Urgent')).toHaveText('1');
  await folderRow(other, 'Urgent').getByRole('link').click();
  await expect(card(other, 'One')).toBeVisible();
  await navigation(other, 'My Alerts').click();
  await expect(other.getByText('No alerts yet')).toBeVisible();
});
