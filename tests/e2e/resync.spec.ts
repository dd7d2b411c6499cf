import type { Page } from '@playwright/test';
import type { AppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { takeLine } from './support/line.ts';
import { watchRequests } from './support/requests.ts';
import { card, connected, countPongs, navigation, pongs } from './support/screen.ts';

const strip = (page: Page) => page.getByText('Some alerts may be missing.');

/**
 * What lists can be filtered by, with counts: read again soon after an alert came to a list or left it, whenever that was. The
 * icons of the tab are asked for by the browser, on a busy machine late.
 */
const READ_AGAIN = new Set(['/api/alerts/facets', '/api/alerts/severities', '/icon.svg', '/icon-news.svg']);

/**
 * Loses the connection and posts "Missed". What changed is not answered after it, and neither are the first `failures` requests
 * of the inbox. Counts those; the ones after that are answered once `isReleased`.
 */
async function reconnectToFailures(
  app: AppServer,
  page: Page,
  failures: number,
  isReleased?: Promise<void>,
): Promise<() => number> {
  const line = await takeLine(page);
  await line.cut();
  await app.post({ customer: 'Missed' });
  let requests = 0;
  await page.route('**/api/changes*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.route('**/api/alerts/inbox*', async (route) => {
    requests += 1;
    if (requests <= failures) return route.fulfill({ status: 502, body: 'Bad gateway' });
    await isReleased;
    return route.continue();
  });
  line.restore();
  await expect(strip(page)).toBeVisible();
  return () => requests;
}

test('a list in the background has what came while the connection was lost, also when more came after it', async ({
  app,
  openAs,
}) => {
  await app.post({ customer: 'Nordwind', title: 'Before' });
  const page = await openAs(ADMINISTRATOR, '/?customer=Nordwind');
  const line = await takeLine(page);
  await expect(page.getByText('1 for Nordwind')).toBeVisible();
  await navigation(page, 'My Alerts').click();
  await expect(page.getByText('No alerts yet')).toBeVisible();

  await line.cut();
  await app.post({ customer: 'Nordwind', title: 'Missed' });
  line.restore();
  await connected(page);
  await expect(navigation(page, 'New Alerts')).toContainText('2');
  await app.post({ customer: 'Nordwind', title: 'Live again' });
  await expect(navigation(page, 'New Alerts')).toContainText('3');

  await page.goBack();
  await expect(page.getByText('3 for Nordwind')).toBeVisible();
  for (const title of ['Live again', 'Missed', 'Before']) await expect(card(page, title)).toBeVisible();
});

test('after a reconnect a page asks once for what it missed, and reads nothing again', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post({ customer: 'Nordwind', title: 'Kept' });
  const deleted = await app.post({ customer: 'Nordwind', title: 'Deleted' });
  const taken = await app.post({ customer: 'Nordwind', title: 'Taken' });
  const page = await openAs(mara);
  const requests = watchRequests(page);
  const line = await takeLine(page);
  await navigation(page, 'My Alerts').click();
  await navigation(page, 'New Alerts').click();
  await expect(card(page, 'Taken')).toBeVisible();
  // The last of what a first load reads, and then the first alert that is news.
  await app.post({ customer: 'Nordwind', title: 'Came first' });
  for (const path of ['/api/notification-settings', '/api/alerts/snoozed/counts', '/api/notification-exceptions'])
    await expect.poll(() => requests.asked).toContain(path);
  // The rest of it comes by itself, on a busy machine late.
  let before = 0;
  const isQuiet = () => {
    const earlier = before;
    before = requests.asked.length;
    return before === earlier;
  };
  await expect.poll(isQuiet, { intervals: [1_000] }).toBe(true);
  await requests.answered();
  requests.asked.length = 0;
  /** What was asked for since, up to an alert that comes after it. */
  const askedUntil = async (title: string): Promise<string[]> => {
    await app.post({ customer: 'Nordwind', title });
    await expect(card(page, title)).toBeVisible();
    await requests.answered();
    return requests.asked.splice(0).filter((path) => !READ_AGAIN.has(path));
  };

  await line.cut();
  line.restore();
  await connected(page);
  expect(await askedUntil('Came live')).toEqual(['/api/changes']);

  await line.cut();
  await app.admin.request('DELETE', `/api/webhooks/${deleted}`);
  const member = await app.signIn(mara);
  await member.request('POST', `/api/alerts/${taken}/accept`);
  for (let number = 1; number <= 8; number += 1) await app.post({ customer: 'Nordwind', title: `Missed ${number}` });
  line.restore();
  await connected(page);
  await expect(card(page, 'Missed 8')).toBeVisible();
  await expect(card(page, 'Deleted')).toHaveCount(0);
  await expect(card(page, 'Taken')).toHaveCount(0);
  await expect(navigation(page, 'New Alerts')).toContainText('11');
  await expect(navigation(page, 'My Alerts')).toContainText('1');
  expect(await askedUntil('Came live again')).toEqual(['/api/changes']);
});

test('a list that could not be fetched after a reconnect says so, and is fetched again by itself', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const requests = await reconnectToFailures(app, page, 2, isReleased);
  await expect(page.getByText('Connected', { exact: true })).toHaveCount(0);
  release();
  await expect(card(page, 'Missed')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
  await expect(page.getByText('Connected', { exact: true })).toBeVisible();
  expect(requests()).toBe(3);
});

test('"Try again" fetches a list at once, and a live event meanwhile does not hide that alerts are missing', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR);
  const requests = await reconnectToFailures(app, page, Infinity);
  await app.post({ customer: 'Came live' });
  await expect(card(page, 'Came live')).toBeVisible();
  await expect(strip(page)).toBeVisible();
  // By now it waits for so long that a person is quicker.
  await expect.poll(requests, { timeout: 20_000 }).toBeGreaterThan(3);
  await page.unroute('**/api/alerts/inbox*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(card(page, 'Missed')).toBeVisible();
  await expect(strip(page)).toHaveCount(0);
});

test('a connection over which nothing comes any more is noticed and replaced', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.clock.install();
  await countPongs(page);
  const line = await takeLine(page);
  // While it answers, it stays.
  for (let round = 1; round <= 3; round += 1) {
    await page.clock.runFor(16_000);
    await expect.poll(() => pongs(page)).toBe(round);
  }
  expect(line.count()).toBe(1);

  line.deafen();
  await app.post({ customer: 'Missed' });
  await page.clock.runFor(24_000);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  line.restore();
  await connected(page);
  await expect(card(page, 'Missed')).toBeVisible();
  expect(line.count()).toBe(2);
});

test('coming back to the network asks at once whether the connection still stands', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.clock.install();
  const line = await takeLine(page);
  line.deafen();
  await app.post({ customer: 'Missed' });
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await page.clock.runFor(9_000);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  line.restore();
  // Once more: now it is known to be lost, and nobody waits for the three seconds.
  await page.evaluate("window.dispatchEvent(new Event('online'))");
  await connected(page);
  await expect(card(page, 'Missed')).toBeVisible();
});

test('after a sleep the page claims no connection until the server answers', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.clock.install();
  const line = await takeLine(page);
  line.deafen();
  await app.post({ customer: 'Missed' });
  await page.clock.setSystemTime(Date.now() + 600_000);
  await page.evaluate("window.dispatchEvent(new Event('focus'))");
  await expect(page.getByText('Checking…')).toBeVisible();
  await expect(page.getByText('Connected', { exact: true })).toHaveCount(0);
  await page.clock.runFor(9_000);
  await expect(page.getByText('Reconnecting…')).toBeVisible();
  line.restore();
  await page.clock.runFor(4_000);
  await connected(page);
  await expect(card(page, 'Missed')).toBeVisible();
});

test('a notification that is clicked before the connection is back leads to its alert', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  const line = await takeLine(page);
  await line.cut();
  const id = await app.post({ customer: 'Pushed' });
  const open = (path: string) =>
    page.evaluate(
      `navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'open', path: '${path}' } }))`,
    );
  await open(`/?alert=${id}`);
  await expect(page.getByRole('article', { name: 'Pushed' })).toBeFocused();
  await expect(page.getByText('No longer in the inbox')).toHaveCount(0);

  // An alert that is really gone is still said to be.
  line.restore();
  await connected(page);
  await app.admin.request('DELETE', `/api/webhooks/${id}`);
  await expect(page).toHaveTitle('Alertdesk');
  await navigation(page, 'My Alerts').click();
  await open(`/?alert=${id}`);
  await expect(page.locator('.toaster__toast')).toContainText('No longer in the inbox');
});

test('live updates that are delayed are said so, until they are not', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  let greet: ((isDelayed: boolean) => void) | undefined;
  await page.routeWebSocket(/\/ws\?/, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((frame) => {
      const [hello] = JSON.parse(String(frame)) as [{ type: string }];
      if (hello.type === 'hello') greet = (isDelayed) => socket.send(JSON.stringify([{ ...hello, isDelayed }]));
      socket.send(frame);
    });
  });
  await page.reload();
  await connected(page);
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  const said = page.getByText('Live updates are delayed');
  greet?.(true);
  await expect(said).toBeVisible();
  await expect.poll(() => asked).toContain('/api/changes');
  await app.post({ customer: 'Delayed greetings' });
  await expect(card(page, 'Delayed greetings')).toBeVisible();
  greet?.(false);
  await expect(said).toHaveCount(0);
});
