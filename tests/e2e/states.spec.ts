import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { accountButton, card, connected, toast } from './support/screen.ts';

/** Holds the answers to what matches until it is released. */
async function hold(page: Page, what: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(what, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test('the sidebar shows the app’s name, both groups and the member, called User without a name; the header shows its title', async ({
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  for (const text of ['Alertdesk', 'Webhook Alerts', 'Alerts', 'Folders'])
    await expect(sidebar.getByText(text, { exact: true })).toBeVisible();
  await expect(page.getByRole('banner')).toContainText('Alert Management');
  await expect(sidebar).toContainText(mara.email);
  await expect(sidebar).toContainText('Mara Lindqvist');

  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), displayName: '' } });
  });
  await page.reload();
  await expect(accountButton(page, mara)).toContainText('User');
});

/** After how many milliseconds the animations of a list that loads begin, each number once. */
const DELAYS = `[...new Set(document.querySelector('.ad-list-loading').getAnimations({ subtree: true })
  .map(({ effect }) => effect.getTiming().delay))]`;

test('while the session is checked there is Loading..., while a list is, there are bars', async ({ app, openAs }) => {
  await app.post({ customer: 'Waiting' });
  const page = await openAs(ADMINISTRATOR);
  const session = await hold(page, '**/api/auth/session');
  const inbox = await hold(page, '**/api/alerts/inbox?*');
  await page.reload();
  await expect(page.getByText('Loading...', { exact: true })).toBeVisible();
  session();
  await expect(page.locator('.ad-list-loading')).toBeVisible();
  // Nothing moves while it is not shown yet.
  expect(await page.evaluate(DELAYS)).toEqual([150]);
  await expect(page.getByText('Loading...', { exact: true })).toHaveCount(0);
  await expect(page.getByText('All caught up!')).toHaveCount(0);
  inbox();
  await expect(card(page, 'Waiting')).toBeVisible();
  await expect(page.locator('.ad-list-loading')).toHaveCount(0);
});

test('the sign-in form sends nothing without e-mail and password, shows the app’s own message for a failure without one, and says that it is in progress', async ({
  open,
}) => {
  const page = await open('/login');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url());
  });
  const [email, password] = [page.getByLabel('Email'), page.getByLabel('Password', { exact: true })];
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(email).toHaveJSProperty('validity.valueMissing', true);
  await email.fill('someone@example.org');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(password).toHaveJSProperty('validity.valueMissing', true);
  expect(sent).toEqual([]);

  await page.route('**/api/auth/login', (route) => route.abort());
  await page.getByLabel('Email').fill(ADMINISTRATOR.email);
  await page.getByLabel('Password', { exact: true }).fill(ADMINISTRATOR.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(toast(page)).toContainText('Login failed');
  await expect(toast(page)).toContainText('The server could not be reached. Check your connection and try again.');

  await page.unroute('**/api/auth/login');
  const login = await hold(page, '**/api/auth/login');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  login();
  await expect(page.getByText('All caught up!')).toBeVisible();
});

test('the sign-in page shows the default administrator where the server reveals it', async ({ open }) => {
  const page = await open('/login#setup=printed-at-first-start');
  await page.route('**/api/auth/default-credentials', (route) =>
    route.request().headers()['authorization'] === 'Bearer printed-at-first-start'
      ? route.fulfill({ json: { email: 'admin@alertdesk.local', password: 'made-at-first-start' } })
      : route.fulfill({ status: 404 }),
  );
  await page.reload();
  const panel = page.getByRole('region', { name: 'Default administrator' });
  await expect(panel).toContainText('admin@alertdesk.local');
  await expect(panel).toContainText('made-at-first-start');
});

test('the history says that it is loading, when there is none, and is fetched each time it opens', async ({
  app,
  openAs,
  mara,
}) => {
  await (await queueOf(app, mara)).accept({ customer: 'Nordwind' });
  const page = await openAs(mara, '/my-alerts');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/history')) asked += 1;
  });
  const history = page.getByRole('dialog', { name: 'Alert History' });
  const release = await hold(page, '**/api/alerts/*/history');
  await card(page, 'Nordwind').getByRole('button', { name: 'Alert history' }).click();
  await expect(history).toContainText('Loading history...');
  release();
  await expect(history).toContainText('Accepted');
  await expect(history).toContainText(/[A-Z][a-z]{2} \d{1,2}, \d{4} \d{1,2}:\d\d [AP]M/);
  await page.keyboard.press('Escape');
  await expect(history).toHaveCount(0);

  await page.route('**/api/alerts/*/history', (route) => route.fulfill({ json: [] }));
  await card(page, 'Nordwind').getByRole('button', { name: 'Alert history' }).click();
  await expect(history).toContainText('No history available');
  expect(asked).toBe(2);
});

test('an alert without a customer is announced as a new webhook alert', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/my-alerts');
  await connected(page);
  await app.post({ note: 'nobody named' });
  await expect(toast(page)).toContainText('New alert received');
  await expect(toast(page)).toContainText('A new webhook alert has arrived');
});

test('every card of inbox, queue and folder shows its time as Nov 21, 9:42 PM', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  await app.post({ customer: 'Waiting' });
  await queue.accept({ customer: 'Queued' });
  await queue.file(await queue.accept({ customer: 'Filed' }), folder);
  const page = await openAs(mara);
  for (const [path, customer] of [
    ['/', 'Waiting'],
    ['/my-alerts', 'Queued'],
    [`/folder/${folder}`, 'Filed'],
  ] as const) {
    await page.goto(path);
    await expect(card(page, customer).locator('.ad-card-time time')).toHaveText(
      /^[A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d\d [AP]M$/,
    );
  }
});

test('a name that reads from right to left begins at the right, so that its end is what is cut', async ({
  app,
  openAs,
  mara,
}) => {
  const name = 'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة';
  await (await queueOf(app, mara)).folder(name);
  await app.post({ customer: name, type: 'نوع التنبيه', الرسالة: name });
  const page = await openAs(mara);
  await expect(card(page, name).locator('.ad-card-customer')).toHaveCSS('direction', 'rtl');
  await expect(card(page, name).locator('.ad-card-type')).toHaveCSS('direction', 'rtl');
  await expect(card(page, name).locator('.ad-field-value')).toHaveCSS('direction', 'rtl');
  await expect(page.getByRole('treeitem').locator('.ad-tree-name')).toHaveCSS('direction', 'rtl');
  await app.post({ customer: 'Nordwind', host: 'db-7.example.com', الرسالة: 'full' });
  await expect(card(page, 'Nordwind').locator('.ad-card-customer')).toHaveCSS('direction', 'ltr');
});
