import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { BESIDE_THE_APP, card, connected, navigation, passUntil, settled, stopClock, toast } from './support/screen.ts';

// Cards leave and come back here.
test.use({ moving: true });

const accept = (page: Page, customer: string) => card(page, customer).getByRole('button', { name: 'Accept' }).click();

/** Stops the page's clock once its cards are drawn. */
async function stopWithCards(page: Page): Promise<void> {
  await expect(page.locator('.alert-card__card').first()).toBeVisible();
  await stopClock(page);
}

/** Deletes a card under a stopped clock; it has left 500 ms later. */
async function removeStopped(page: Page, customer: string): Promise<void> {
  await card(page, customer).hover();
  await card(page, customer).getByRole('button', { name: 'Delete' }).click();
  // The timers of its leaving begin in a later task.
  await settled(page);
  await page.clock.runFor(500);
  await expect(card(page, customer)).toHaveCount(0);
}

/** Resolves when a card that comes is drawn under a stopped clock. */
const drawnStopped = (page: Page, customer: string): Promise<void> =>
  passUntil(page, () => expect(card(page, customer)).toBeVisible({ timeout: 100 }));

/** The deletions that the page has sent, by path. */
function deletions(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') sent.push(new URL(request.url()).pathname);
  });
  return sent;
}

test('each deletion is sent after its own five seconds, whatever the tab and its toast do; they stand still while its toast is hovered over', async ({
  app,
  openAs,
  mara,
}) => {
  const ids = [await app.post({ customer: 'Atlas Freight' }), await app.post({ customer: 'Brightwater' })];
  const page = await openAs(mara);
  await connected(page);
  const sent = deletions(page);
  await stopWithCards(page);
  await removeStopped(page, 'Atlas Freight');
  await page.clock.runFor(2500);
  await removeStopped(page, 'Brightwater');
  await expect(toast(page)).toContainText('2 deleted');
  await expect(toast(page).getByRole('button', { name: 'Undo all' })).toBeVisible();
  // Another tab is looked at for a moment.
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await page.clock.runFor(1000);
  expect(sent).toEqual([]);
  await page.clock.runFor(1000);
  await expect.poll(() => sent).toEqual([`/api/webhooks/${ids[0]}`]);
  await expect(toast(page)).toContainText('2 deleted');
  await expect(toast(page).getByRole('button', { name: 'Undo last' })).toBeVisible();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await page.clock.runFor(200);
  await expect(toast(page)).toHaveCount(0);
  expect(sent).toHaveLength(1);
  await page.clock.runFor(3000);
  await expect.poll(() => sent).toEqual(ids.map((id) => `/api/webhooks/${id}`));
  await expect.poll(() => app.inbox()).toEqual([]);

  // They stand still while the toast is hovered over.
  await app.post({ customer: 'Cobalt Labs' });
  await drawnStopped(page, 'Cobalt Labs');
  await removeStopped(page, 'Cobalt Labs');
  await page.clock.runFor(4000);
  await toast(page).hover();
  // The five seconds stop in a task of their own after the event, which the clock would overtake.
  await settled(page);
  await page.clock.runFor(20_000);
  expect(sent).toHaveLength(2);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Cobalt Labs')).toBeVisible();
  await page.clock.runFor(10_000);
  expect(sent).toHaveLength(2);
  expect(await app.inbox()).toHaveLength(1);
});

test('what another tab accepted meanwhile is not deleted', async ({ app, openAs }) => {
  await app.post({ customer: 'Atlas Freight' });
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // Of a browser of its own: pages of one browser share the clock that the test stops.
  const other = await openAs(ADMINISTRATOR);
  await connected(other);
  const sent = deletions(page);
  await stopWithCards(page);
  await removeStopped(page, 'Atlas Freight');
  await accept(other, 'Atlas Freight');
  await expect(navigation(other, 'My Alerts')).toContainText('1');
  // What comes later reaches the page after it.
  await app.post({ customer: 'Brightwater' });
  await drawnStopped(page, 'Brightwater');
  await page.clock.runFor(6000);
  await expect(toast(page)).toContainText('Could not delete the alert');
  expect(sent).toEqual([]);
  await page.clock.resume();
  await expect(navigation(page, 'My Alerts')).toContainText('1');
  await navigation(page, 'My Alerts').click();
  await expect(card(page, 'Atlas Freight')).toBeVisible();
});

test('what a colleague accepted while the page received nothing is not deleted, not even by an administrator', async ({
  app,
  openAs,
  mara,
}) => {
  const id = await app.post({ customer: 'Atlas Freight' });
  const page = await openAs(ADMINISTRATOR, BESIDE_THE_APP);
  let isSilent = false;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      if (!isSilent) socket.send(message);
    });
  });
  await page.goto('/');
  await connected(page);
  await stopWithCards(page);
  await removeStopped(page, 'Atlas Freight');
  isSilent = true;
  expect((await (await app.signIn(mara)).request('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
  await page.clock.runFor(6000);
  await expect(toast(page)).toContainText('Could not delete the alert');
  await expect(toast(page)).toContainText('Already accepted by Mara Lindqvist.');
  // It is Mara's, and in nobody's inbox.
  await page.clock.resume();
  await expect(card(page, 'Atlas Freight')).toHaveCount(0);
  expect(await (await queueOf(app, mara)).mine()).toEqual([id]);
});
