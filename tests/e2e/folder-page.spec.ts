import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, folderCount, openCardMenu, openMoveMenu, toast } from './support/screen.ts';

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const menuItems = (page: Page) => page.getByRole('menu', { name: 'Alert actions' }).getByRole('menuitem');

test('a folder shows its name, its count and its alerts', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Databases', { color: 'purple' });
  await queue.file(await queue.accept({ customer: 'Inside' }), folder);
  await queue.accept({ customer: 'Outside' });
  const page = await openAs(mara, `/folder/${folder}`);
  await expect(page.getByRole('heading', { name: 'Databases', exact: true })).toBeVisible();
  await expect(page.locator('.ad-page-head .ad-folder-dot')).toHaveClass(/ad-folder-dot--purple/);
  await expect(page.getByText('1 in this folder')).toBeVisible();
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByRole('article', { name: 'Inside' })).toBeVisible();
});

test('an empty folder says how to fill it, and an unknown one is not found', async ({ app, openAs, mara }) => {
  const folder = await (await queueOf(app, mara)).folder('Databases');
  const page = await openAs(mara, `/folder/${folder}`);
  await expect(page.getByText('Databases is empty', { exact: true })).toBeVisible();
  await expect(page.getByText('Move alerts from your queue to organize them in this folder.')).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'My Alerts' }).click();
  await expect(page.getByText('No alerts yet')).toBeVisible();

  for (const id of ['01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', 'nonsense']) {
    await page.goto(`/folder/${id}`);
    await expect(page.getByText('Folder not found', { exact: true })).toBeVisible();
    await expect(page.getByText('This folder may have been deleted.')).toBeVisible();
  }
});

test('without its list or the folders the page says so, and trying again helps', async ({ app, openAs, mara }) => {
  const folder = await (await queueOf(app, mara)).folder('Databases');
  const page = await openAs(mara);
  await page.route('**/api/alerts/folder/**', (route) => route.fulfill({ status: 503, body: 'Away' }));
  await page.goto(`/folder/${folder}`);
  await expect(page.getByText('Failed to fetch folder alerts')).toBeVisible();
  await page.unroute('**/api/alerts/folder/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Databases is empty')).toBeVisible();

  // The live connection would have everything fetched again by itself.
  await page.routeWebSocket(/\/ws\?batch=1$/, () => undefined);
  await page.route('**/api/folders', (route) => route.fulfill({ status: 503, body: 'Away' }));
  await page.goto(`/folder/${folder}`);
  await expect(page.getByRole('main').getByText('Your folders could not be loaded')).toBeVisible();
  await page.unroute('**/api/folders');
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Databases is empty')).toBeVisible();
});

test('the card’s menu has what a member may do, and the other folders', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const here = await queue.folder('Here');
  await queue.folder('There');
  await queue.file(await queue.accept({ customer: 'One' }), here);
  const page = await openAs(mara, `/folder/${here}`);
  await openCardMenu(page, 'One');
  await expect(menuItems(page)).toHaveText([
    'UnacceptU',
    'Remove from folder',
    'Move toM',
    'Assign…⇧A',
    'SnoozeS',
    'MuteL',
    'Write a noteC',
    'Copy link',
  ]);
  await page.getByRole('menuitem', { name: 'Move to', exact: true }).click();
  await expect(page.getByRole('menuitem', { name: /^Move to ./ })).toHaveText(['Move to There']);
});

test('an administrator may delete from a folder, and undo it', async ({ app, openAs }) => {
  const queue = await queueOf(app, ADMINISTRATOR);
  const folder = await queue.folder(`Admin’s ${Date.now()}`);
  await queue.file(await queue.accept({ customer: 'Doomed' }), folder);
  const page = await openAs(ADMINISTRATOR, `/folder/${folder}`);
  await openCardMenu(page, 'Doomed');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Alert deleted');
  await expect(cards(page)).toHaveCount(0);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Doomed')).toBeVisible();
  await openCardMenu(page, 'Doomed');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expect(page.getByText('is empty')).toBeVisible();
  await queue.client.request('DELETE', `/api/folders/${folder}`);
});

test('removing takes the alert back to the queue, and can be undone; one that an administrator returns to the inbox leaves, too', async ({
  app,
  openAs,
  mara,
}) => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  const id = await queue.accept({ customer: 'One' });
  await queue.file(id, folder);
  const page = await openAs(mara, `/folder/${folder}`);
  await openCardMenu(page, 'One');
  await page.getByRole('menuitem', { name: 'Remove from folder' }).click();
  await expect(toast(page)).toContainText('Alert moved');
  await expect(toast(page)).toContainText('Moved to My Alerts');
  await expect(page.getByText('Here is empty')).toBeVisible();
  await expect(folderCount(page, 'Here')).toHaveText('');
  expect(await queue.mine()).toEqual([id]);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'One')).toBeVisible();
  await expect(folderCount(page, 'Here')).toHaveText('1');

  await connected(page);
  await app.admin.request('POST', `/api/alerts/${id}/unaccept`);
  await expect(page.getByText('Here is empty')).toBeVisible();
  await expect(folderCount(page, 'Here')).toHaveText('');
});

test('moving on to another folder shows in both', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const [here, there] = [await queue.folder('Here'), await queue.folder('There')];
  await queue.file(await queue.accept({ customer: 'One' }), here);
  const page = await openAs(mara, `/folder/${here}`);
  const other = await openAs(mara, `/folder/${there}`);
  await Promise.all([connected(page), connected(other)]);
  await openMoveMenu(page, 'One');
  await page.getByRole('menuitem', { name: 'Move to There' }).click();
  await expect(toast(page)).toContainText('Moved to There');
  await expect(page.getByText('Here is empty')).toBeVisible();
  await expect(card(other, 'One')).toBeVisible();
  await expect(folderCount(other, 'There')).toHaveText('1');
  await expect(folderCount(other, 'Here')).toHaveText('');
});

test('returning a filed alert to the inbox can be undone with its folder and status', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  const id = await queue.accept({ customer: 'One' });
  await queue.setStatus(id, 'in-progress');
  await queue.file(id, folder);
  const page = await openAs(mara, `/folder/${folder}`);
  await openCardMenu(page, 'One');
  await page.getByRole('menuitem', { name: 'Unaccept' }).click();
  await expect(page.getByText('Here is empty')).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'One').getByRole('radio', { name: 'In Progress' })).toBeChecked();
  await page.reload();
  await expect(card(page, 'One').getByRole('radio', { name: 'In Progress' })).toBeChecked();
});

test('full, empty and unknown: axe has nothing to say in either theme, nothing scrolls sideways', async ({
  app,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const [full, empty] = [
    await queue.folder('Rückerstattungen über 500 Euro, die noch jemand prüfen muss, und zwar bald', {
      color: 'yellow',
    }),
    await queue.folder('Empty'),
  ];
  for (const [customer, type] of [
    ['A customer with a name that is far too long for any card', 'type.with.a.long.name'],
    ['عميل', 'order'],
    ['🔥', 'disk'],
  ])
    await queue.file(await queue.accept({ customer, type, one: 1, two: 2, three: 3 }), full);
  const page = await openAs(mara, `/folder/${full}`);
  await expect(page.getByText('3 in this folder')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/folder/${empty}`);
  await expect(page.getByText('Empty is empty')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/folder/unknown');
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expectAccessible(page);
});

test('its menu: axe has nothing to say in either theme', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const here = await queue.folder('Here');
  for (let number = 0; number < 8; number += 1) await queue.folder(`Other ${number}`);
  await queue.file(await queue.accept({ customer: 'One' }), here);
  const page = await openAs(mara, `/folder/${here}`);
  await openMoveMenu(page, 'One');
  await expect(page.getByRole('menuitem', { name: 'Move to Other 0' })).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
});
