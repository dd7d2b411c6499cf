import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, chooseFilter, connected, filterButton, folderRow, navigation, toast } from './support/screen.ts';

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const customers = (page: Page) => page.getByRole('feed').locator('.ad-card-customer');
const options = (page: Page, name: string) => page.getByRole('menu', { name }).getByRole('menuitemradio');
/** How far the page is scrolled, in pixels. */
const scrolled = (page: Page) => page.evaluate<number>("document.querySelector('.ad-content').scrollTop");

test('filters are there only when they have options', async ({ app, openAs, mara }) => {
  await app.post({ message: 'Neither customer nor type' });
  const page = await openAs(mara);
  await connected(page);
  await expect(cards(page)).toHaveCount(1);
  await expect(filterButton(page, 'Customer')).toHaveCount(0);
  await expect(filterButton(page, 'Type')).toHaveCount(0);
  await app.post({ customer: 'Nordwind' });
  await expect(filterButton(page, 'Customer')).toHaveText('CustomerAll');
  await expect(filterButton(page, 'Type')).toHaveCount(0);
  await app.post({ type: 'disk.full' });
  await expect(filterButton(page, 'Type')).toHaveText('TypeAll');
});

test('the inbox is narrowed to a customer and a type, by the server', async ({ app, openAs, mara }) => {
  for (const [customer, type] of [
    ['Nordwind', 'disk.full'],
    ['acme', 'order'],
    ['Nordwind', 'order'],
    ['Öl & Söhne', 'order'],
  ])
    await app.post({ customer, type });
  const page = await openAs(mara);
  await expect(page.getByText('4 waiting for action')).toBeVisible();
  await filterButton(page, 'Customer').click();
  await expect(options(page, 'Customer')).toHaveText(['All', 'acme', 'Nordwind', 'Öl & Söhne']);
  await expect(options(page, 'Customer').first()).toBeChecked();
  const asked = page.waitForRequest(/\/api\/alerts\/inbox\?customer=Nordwind/);
  await options(page, 'Customer').filter({ hasText: 'Nordwind' }).click();
  await asked;
  await expect(customers(page)).toHaveText(['Nordwind', 'Nordwind']);
  await expect(page.getByText('2 for Nordwind')).toBeVisible();
  await expect(page.getByText('waiting for action')).toHaveCount(0);
  await expect(filterButton(page, 'Customer')).toBeFocused();
  // The badge goes on counting all of them.
  await expect(navigation(page, 'New Alerts')).toContainText('4');

  await chooseFilter(page, 'Type', 'disk.full');
  await expect(page.getByText('1 for Nordwind')).toBeVisible();
  await expect(page).toHaveURL('/?customer=Nordwind&alertType=disk.full');
  await page.reload();
  await expect(page.getByText('1 for Nordwind')).toBeVisible();

  await chooseFilter(page, 'Customer', 'Öl & Söhne');
  await expect(page.getByText('No alerts for this customer.')).toBeVisible();
  await expect(filterButton(page, 'Type')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('4 waiting for action')).toBeVisible();
  await expect(page).toHaveURL('/');
});

test('a live alert appears only where the filter lets it through', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Nordwind', number: 1 });
  await app.post({ customer: 'Atlas', number: 2 });
  const page = await openAs(mara, '/?customer=Nordwind');
  await connected(page);
  await expect(customers(page)).toHaveText(['Nordwind']);
  await app.post({ customer: 'Atlas', number: 3 });
  await expect(navigation(page, 'New Alerts')).toContainText('3');
  await app.post({ customer: 'Nordwind', number: 4 });
  await expect(customers(page)).toHaveText(['Nordwind', 'Nordwind']);
  await expect(page.getByText('2 for Nordwind')).toBeVisible();

  await card(page, 'Nordwind').first().getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('1 for Nordwind')).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('2 for Nordwind')).toBeVisible();
});

test('what somebody else accepts leaves a filtered list, too', async ({ app, openAs, mara }) => {
  const jonas = await app.addMember('Jonas Okafor');
  await app.post({ customer: 'Nordwind' });
  const [hers, his] = [await openAs(mara, '/?customer=Nordwind'), await openAs(jonas)];
  await Promise.all([connected(hers), connected(his)]);
  await expect(customers(hers)).toHaveText(['Nordwind']);
  await card(his, 'Nordwind').getByRole('button', { name: 'Accept' }).click();
  await expect(hers.getByText('Accepted by Jonas Okafor')).toBeVisible();
  await expect(hers.getByText('No alerts for this customer.')).toBeVisible();
});

test('filter and scroll position survive going away and back', async ({ app, openAs, mara }) => {
  for (let number = 0; number < 130; number += 1)
    await app.post({ customer: number % 13 === 0 ? 'Atlas' : 'Nordwind', number });
  const page = await openAs(mara);
  await chooseFilter(page, 'Customer', 'Nordwind');
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(page.locator('article[aria-posinset="100"]')).toBeFocused();
  await expect(page.locator('article[aria-posinset="101"]')).toBeVisible();
  const before = await scrolled(page);
  expect(before).toBeGreaterThan(5000);

  await navigation(page, 'My Alerts').click();
  await expect(page.getByText('No alerts yet')).toBeVisible();
  await navigation(page, 'New Alerts').click();
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  expect(await scrolled(page)).toBe(before);
  await expect(page.locator('article[aria-posinset="101"]')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page.getByText('120 for Nordwind')).toBeVisible();
  expect(await scrolled(page)).toBe(before);
});

test('queue and folder are filtered and sorted, too', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  for (const [customer, type] of [
    ['Nordwind', 'disk.full'],
    ['Atlas', 'order'],
    ['Atlas', 'disk.full'],
  ]) {
    await queue.accept({ customer, type });
    await queue.file(await queue.accept({ customer, type }), folder);
  }
  const page = await openAs(mara, '/my-alerts');
  await expect(page.getByText('3 in your queue')).toBeVisible();
  await chooseFilter(page, 'Customer', 'Atlas');
  await expect(page.getByText('2 in your queue')).toBeVisible();
  await expect(customers(page)).toHaveText(['Atlas', 'Atlas']);
  await page.getByRole('radio', { name: 'Oldest' }).click();
  await expect(page.locator('.ad-card-type')).toHaveText(['order', 'disk.full']);

  await folderRow(page, 'Here').getByRole('link').click();
  await expect(page.getByText('3 in this folder')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Newest' })).toBeChecked();
  await chooseFilter(page, 'Type', 'disk.full');
  await expect(page.getByText('2 in this folder')).toBeVisible();
  await expect(customers(page)).toHaveText(['Atlas', 'Nordwind']);
  await page.getByRole('radio', { name: 'Oldest' }).click();
  await expect(customers(page)).toHaveText(['Nordwind', 'Atlas']);

  // Each screen keeps its own.
  await navigation(page, 'My Alerts').click();
  await expect(page).toHaveURL('/my-alerts?customer=Atlas&sort=oldest');
  await expect(page.getByText('2 in your queue')).toBeVisible();
});

test('a filter for a type alone says so when nothing is left', async ({ app, openAs, mara }) => {
  const id = await app.post({ type: 'disk.full' });
  await app.post({ type: 'order' });
  const page = await openAs(mara, '/?alertType=disk.full');
  await connected(page);
  await expect(page.getByText('1 waiting for action')).toBeVisible();
  await app.admin.request('DELETE', `/api/webhooks/${id}`);
  await expect(page.getByText('No alerts of this type.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page.getByText('1 waiting for action')).toBeVisible();
});

test('many customers can be found by typing', async ({ app, openAs, mara }) => {
  for (let number = 0; number < 9; number += 1) await app.post({ customer: `Customer ${number}` });
  const page = await openAs(mara);
  await expect(page.getByText('9 waiting for action')).toBeVisible();
  await filterButton(page, 'Customer').click();
  await page.getByRole('searchbox', { name: 'Filter customers' }).fill('7');
  await expect(options(page, 'Customer')).toHaveText(['Customer 7']);
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 for Customer 7')).toBeVisible();
});

test('filters and an emptied list: axe has nothing to say in either theme, nothing scrolls sideways', async ({
  app,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const customer = 'A customer with a name that is far too long for any button of this size';
  for (let number = 0; number < 9; number += 1) await queue.accept({ customer: `Customer ${number}`, type: 'order' });
  await queue.accept({ customer, type: 'disk.full.on.a.machine.with.a.long.name' });
  const page = await openAs(mara, '/my-alerts');
  await filterButton(page, 'Customer').click();
  await expect(options(page, 'Customer')).toHaveCount(11);
  expect(await findingsInThemes(page)).toEqual([]);
  await options(page, 'Customer').filter({ hasText: customer }).click();
  await expect(page.getByText('1 in your queue')).toBeVisible();
  await expectAccessible(page);
  await chooseFilter(page, 'Type', 'order');
  await expect(page.getByText('No alerts for this customer.')).toBeVisible();
  await expectAccessible(page);
});
