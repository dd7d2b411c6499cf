import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, goBy, navigation, settled, toast } from './support/screen.ts';

const cards = (page: Page) => page.locator('article[data-alert-id]');
const bar = (page: Page) => page.getByRole('toolbar', { name: / selected$/ });

/** Holds what a page asks for from now on, until the function that it resolves to is called. */
async function hold(page: Page, url: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('several alerts are selected by keys, accepted together, and taken back by one undo', async ({
  app,
  openAs,
  mara,
}) => {
  for (const customer of ['One', 'Two', 'Three', 'Four', 'Five']) await app.post({ customer });
  const page = await openAs(mara);
  await connected(page);
  await expect(cards(page)).toHaveCount(5);
  // Keys that are typed faster than the bar comes, which is fetched with the first selection, are kept for it.
  const releaseBar = await hold(page, /\.js$/);
  for (const key of ['j', 'x', 'a']) await page.keyboard.press(key);
  releaseBar();
  await expect(toast(page)).toContainText('1 accepted');
  await page.keyboard.press('z');
  await expect(cards(page)).toHaveCount(5);
  await page.reload();
  await connected(page);
  await expect(cards(page)).toHaveCount(5);
  // Without a focus the first key only shows which card it is about.
  await page.keyboard.press('x');
  await expect(cards(page).first()).toBeFocused();
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('x');
  await expect(card(page, 'Five').locator('..').getByRole('checkbox')).toBeChecked();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await expect(bar(page)).toHaveAccessibleName('3 selected');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  // What arrives meanwhile is not selected.
  await app.post({ customer: 'Late' });
  await expect(cards(page)).toHaveCount(6);
  await expect(bar(page)).toHaveAccessibleName('3 selected');
  const queue = await queueOf(app, mara);
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('3 accepted');
  // A toast that has the focus stays.
  await toast(page).getByRole('button', { name: 'Undo' }).focus();
  await expect(cards(page)).toHaveCount(3);
  await expect(bar(page)).toHaveCount(0);
  expect(await queue.mine()).toHaveLength(3);
  await page.keyboard.press('z');
  await expect(cards(page)).toHaveCount(6);
  expect(await queue.mine()).toHaveLength(0);
});

test('everything that matches is accepted, also what is not loaded, and who was quicker is named', async ({
  app,
  openAs,
  mara,
}) => {
  const ann = await queueOf(app, await app.addMember('Ann Ashby'));
  for (let count = 0; count < 130; count += 1) await app.post({ customer: `Customer ${count}` });
  const page = await openAs(mara);
  await connected(page);
  await cards(page).first().hover();
  await cards(page).first().getByRole('checkbox').click();
  await bar(page).getByRole('button', { name: 'Select all 130' }).click();
  await expect(bar(page)).toHaveAccessibleName('130 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('Control+A');
  await expect(bar(page)).toHaveAccessibleName('130 selected');
  const taken = await ann.client.request('GET', '/api/alerts/inbox?limit=1&sort=oldest');
  const [{ id }] = (await taken.json()) as [{ id: string }];
  await ann.client.request('POST', `/api/alerts/${id}/accept`);
  await bar(page).getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(toast(page)).toContainText('129 accepted, 1 was no longer in the list');
  await toast(page).getByRole('button', { name: 'Undo' }).focus();
  await expect(page.getByText('All caught up!')).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(navigation(page, 'New Alerts')).toContainText('99+');
  await expect.poll(async () => (await queueOf(app, mara)).mine()).toHaveLength(0);

  // A key that follows while the server is asked what everything is means everything, unless the pointer is used meanwhile.
  // The list that was put back is loaded whole; a new one is not.
  await page.reload();
  await connected(page);
  await expect(page.locator('.page-head__count')).toContainText('129 waiting');
  await expect(cards(page).first()).toBeVisible();
  const everything = /\/api\/alerts\/inbox\?limit=1$/;
  const releaseFirst = await hold(page, everything);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('a');
  await page.getByRole('heading', { name: 'New Alerts' }).click();
  releaseFirst();
  await expect(bar(page)).toHaveAccessibleName('129 selected');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveCount(0);
  const releaseSecond = await hold(page, everything);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('a');
  releaseSecond();
  await expect(toast(page)).toContainText('129 accepted');
  await expect(page.getByText('All caught up!')).toBeVisible();
});

test('G leads to a screen, ? shows every key, and both are off with the others', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Atlas' });
  const page = await openAs(mara);
  await connected(page);
  await goBy(page, 'm');
  await expect(page).toHaveURL('/my-alerts');
  await goBy(page, 'i');
  await expect(page).toHaveURL('/');
  await expect(card(page, 'Atlas').getByRole('button', { name: 'Accept' })).toHaveAttribute('aria-keyshortcuts', 'A');
  await page.keyboard.press('?');
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(sheet.getByText('Select, deselect')).toBeVisible();
  await expectAccessible(page);
  for (const row of ['Write a note', 'Folders']) await expect(sheet.getByText(row, { exact: true })).toBeVisible();
  await sheet.getByRole('switch').or(sheet.getByRole('checkbox')).uncheck({ force: true });
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  // No key is shown, nor announced, that does nothing.
  await expect(page.locator('[aria-keyshortcuts="A"]')).toHaveCount(0);
  await card(page, 'Atlas').getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menu', { name: 'Alert actions' }).locator('kbd')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await goBy(page, 'm');
  await page.keyboard.press('?');
  await settled(page);
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL('/');
});
