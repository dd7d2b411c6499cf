import type { Page, WebSocketRoute } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, toast } from './support/screen.ts';

/** The cards of the list, in their order. */
const cards = (page: Page) => page.getByRole('feed').getByRole('article');

/** The card that stands at `place`, counted from 1 and over the whole list. */
const cardAt = (page: Page, place: number) => page.locator(`article[aria-posinset="${place}"]`);

test('the inbox can be worked through with the keyboard', async ({ app, openAs }) => {
  for (const customer of ['Third', 'Second', 'First']) await app.post({ customer });
  const page = await openAs(ADMINISTRATOR);
  await cards(page).first().focus();
  await page.keyboard.press('j');
  await expect(cardAt(page, 2)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cardAt(page, 3)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cardAt(page, 3)).toBeFocused();
  await page.keyboard.press('Home');
  await expect(cardAt(page, 1)).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('k');
  await expect(cardAt(page, 2)).toBeFocused();

  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('Moved to your queue');
  await expect(cards(page)).toHaveCount(2);
  await expect(page.getByRole('article', { name: 'Third' })).toBeFocused();
  await page.keyboard.press('a');
  await expect(page.getByRole('article', { name: 'First' })).toBeFocused();
  await page.keyboard.press('a');
  await expect(page.getByText('All caught up!')).toBeVisible();
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('article', { name: 'First' })).toBeVisible();
});

test('a card that somebody else accepts says who, and the focus goes on to the next', async ({ app, openAs, mara }) => {
  for (const customer of ['Third', 'Second', 'First']) await app.post({ customer });
  const [mine, theirs] = await Promise.all([openAs(ADMINISTRATOR), openAs(mara)]);
  await Promise.all([connected(mine), connected(theirs)]);
  await mine.getByRole('article', { name: 'Second' }).focus();
  await card(theirs, 'Second').getByRole('button', { name: 'Accept' }).click();
  await expect(mine.getByText('Accepted by Mara Lindqvist')).toBeVisible();
  await expect(mine.getByRole('article', { name: 'Third' })).toBeFocused();
  await expect(cards(mine)).toHaveCount(2);
});

test('arrivals move nothing under somebody who has scrolled down; they are counted on top', async ({ app, openAs }) => {
  for (let count = 0; count < 40; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  await cards(page).first().hover();
  await page.mouse.wheel(0, 730);
  const watched = page.getByRole('article', { name: 'Waiting 24' });
  await expect(cardAt(page, 16)).toBeInViewport();
  const before = await watched.boundingBox();

  await Promise.all(['a', 'b', 'c'].map((customer) => app.post({ customer })));
  await expect(page.getByRole('button', { name: '3 new alerts' })).toBeVisible();
  expect(await watched.boundingBox()).toEqual(before);

  await page.getByRole('button', { name: '3 new alerts' }).click();
  await expect(cardAt(page, 1)).toBeFocused();
  await expect(cardAt(page, 1)).toBeInViewport();
  await expect(page.getByRole('button', { name: '3 new alerts' })).toHaveCount(0);
});

test('a long list loads as it is scrolled, and draws only what is in view', async ({ app, openAs }) => {
  for (let count = 0; count < 130; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR);
  await expect(page.getByText('130 waiting for action')).toBeVisible();
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(cardAt(page, 100)).toBeFocused();
  await expect(cardAt(page, 101)).toBeVisible();
  await page.keyboard.press('End');
  await expect(cardAt(page, 130)).toBeFocused();
  await expect(cardAt(page, 130)).toContainText('Waiting 0');
  expect(await cards(page).count()).toBeLessThan(40);
});

test('the next page comes also when its end was reached while the list was being fetched again', async ({
  app,
  openAs,
}) => {
  for (let count = 0; count < 110; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR);
  let live: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/ws\?batch=1$/, (socket) => {
    socket.connectToServer();
    live = socket;
  });
  await page.reload();
  await connected(page);
  await expect(cardAt(page, 1)).toBeVisible();

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const firstPage = /\/api\/alerts\/inbox\?limit=100$/;
  await page.route(firstPage, async (route) => {
    await released;
    await route.continue();
  });
  const refetch = page.waitForRequest(firstPage);
  // As after a reconnect: the greeting has the lists fetched again.
  live?.send(JSON.stringify([{ type: 'hello', version: '1.0.3', inboxCount: 110 }]));
  await refetch;
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(cardAt(page, 100)).toBeFocused();
  release();
  await expect(cardAt(page, 101)).toBeVisible();
});

test('every digit of a long number is shown', async ({ app, openAs }) => {
  // As text: JavaScript's own numbers would lose the digits before they are sent.
  const body = '{"customer":"Ledger","account":10000000000000000001,"rows":{"first":12345678901234567890}}';
  const headers = { 'content-type': 'application/json', 'x-webhook-auth': app.apiKey };
  await fetch(new URL('/webhook', app.url), { method: 'POST', headers, body });
  const page = await openAs(ADMINISTRATOR);
  await expect(card(page, 'Ledger')).toContainText('10000000000000000001');
  await card(page, 'Ledger')
    .getByRole('button', { name: /^Extra information/ })
    .click();
  await expect(page.getByRole('dialog')).toContainText('"first": 12345678901234567890');
});

test('an unreadable answer, or none, is reported with a button to try again', async ({ app, openAs }) => {
  await app.post({ customer: 'Waiting' });
  const page = await openAs(ADMINISTRATOR);
  await page.route('**/api/alerts/inbox*', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await page.reload();
  await connected(page);
  await expect(page.getByText('New Alerts could not be loaded')).toBeVisible();
  await expect(page.getByText('503: The database is away.')).toBeVisible();
  const asked = page.waitForRequest('**/api/alerts/inbox*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await asked;
  await expect(page.getByText('503: The database is away.')).toBeVisible();
  await page.unroute('**/api/alerts/inbox*');
  // The page may be quicker: it tries again by itself, too.
  await page.getByRole('button', { name: 'Try again' }).or(card(page, 'Waiting')).first().click();
  await expect(card(page, 'Waiting')).toBeVisible();
});
