import type { Page, WebSocketRoute } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { connected } from './support/screen.ts';

// Cards come in here.
test.use({ moving: true });

/** The cards of the list, in their order. */
const cards = (page: Page) => page.getByRole('feed').getByRole('article');

/** The card that stands at `place`, counted from 1 and over the whole list. */
const cardAt = (page: Page, place: number) => page.locator(`article[aria-posinset="${place}"]`);

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

test('a long list loads as it is scrolled, also when its end was reached while it was being fetched again, and draws only what is in view', async ({
  app,
  openAs,
}) => {
  for (let count = 0; count < 130; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR);
  let live: WebSocketRoute | undefined;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
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
  live?.send(JSON.stringify([{ type: 'hello', version: '1.0.3', inboxCount: 130 }]));
  await refetch;
  await cards(page).first().hover();
  await page.mouse.wheel(0, 20_000);
  await expect(cardAt(page, 100)).toBeVisible();
  release();
  await expect(cardAt(page, 101)).toBeVisible();
  await expect(page.getByText('130 waiting for action')).toBeVisible();
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(cardAt(page, 130)).toBeFocused();
  await expect(cardAt(page, 130)).toContainText('Waiting 0');
  expect(await cards(page).count()).toBeLessThan(40);
});
