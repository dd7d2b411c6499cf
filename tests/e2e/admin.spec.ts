import type { Page } from '@playwright/test';
import type { Person } from './support/accounts.ts';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, connected } from './support/screen.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** The entries of the user menu, in their order. */
async function menuOf(page: Page, person: Person): Promise<string[]> {
  await accountButton(page, person).click();
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  return page.getByRole('menuitem').allTextContents();
}

/** What stands between About and Logout in everybody's menu. */
const PAUSES = ['Pause notifications for 1 hour', 'Pause until tomorrow'];

const CARDS = [
  'Sources',
  'All System Alerts',
  'User Management',
  'Webhook Endpoint',
  'API Keys',
  'Service Tokens',
  'Audit',
];

test('an administrator’s menu leads to the Admin Panel, and each of its cards to its page', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  expect(await menuOf(page, ADMINISTRATOR)).toEqual([
    'My account',
    'Settings',
    'Admin Panel',
    'About',
    ...PAUSES,
    'Logout',
  ]);
  await page.getByRole('menuitem', { name: 'Admin Panel' }).click();
  await expect(page).toHaveURL('/admin');
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toHaveCount(0);
  await expect(heading(page, 'Admin Panel')).toBeVisible();
  const cards = page.getByRole('main').getByRole('link');
  await expect(cards).toHaveCount(CARDS.length);
  for (const [index, name] of CARDS.entries()) await expect(cards.nth(index)).toContainText(name);

  for (const [name, path, title] of [
    ['Sources', '/admin/sources', 'Sources'],
    ['All System Alerts', '/admin/alerts', 'System-Wide Alerts'],
    ['User Management', '/admin/users', 'User Management'],
    ['Webhook Endpoint', '/admin/webhook', 'Webhook Endpoint'],
    ['API Keys', '/admin/api-keys', 'API Keys'],
    ['Service Tokens', '/admin/service-tokens', 'Service Tokens'],
    ['Audit', '/admin/audit', 'Audit'],
  ] as const) {
    await page.getByRole('main').getByRole('link', { name }).click();
    await expect(page).toHaveURL(path);
    await expect(heading(page, title)).toBeVisible();
    await page.goBack();
  }
});

test('a dot on the user menu says that a source refuses, while it does', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const menu = accountButton(page, ADMINISTRATOR);
  await expect(menu).toBeVisible();
  const made = await app.admin.createSource({ name: 'Refusing source' });
  for (let request = 0; request < 3; request += 1) {
    const answer = await fetch(new URL('/webhook', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': made?.key ?? '' },
      body: '{',
    });
    expect(answer.status).toBe(400);
  }
  await expect(menu).toHaveAccessibleName(/1 source is refusing/);
  await menu.click();
  await expect(page.getByRole('menuitem', { name: 'Admin Panel' })).toContainText('1 source is refusing');
  await page.keyboard.press('Escape');
  await app.admin.deleteApiKey(made?.id ?? '');
  await expect(menu).not.toHaveAccessibleName(/refusing/);
});

test('a super user sees the card of all alerts only, and is sent away from the others’ pages', async ({
  app,
  openAs,
}) => {
  const sunniva = await app.addMember('Sunniva Berg', 'super_user');
  const page = await openAs(sunniva, '/admin');
  await expect(page.getByRole('main').getByRole('link')).toHaveText([/^All System Alerts/]);
  expect(await menuOf(page, sunniva)).toEqual(['My account', 'Settings', 'Admin Panel', 'About', ...PAUSES, 'Logout']);
  for (const path of ['/admin/users', '/admin/webhook', '/admin/api-keys', '/admin/service-tokens']) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
  }
});

test('a user has no Admin Panel in the menu, and is sent away from every admin page', async ({ openAs, mara }) => {
  const page = await openAs(mara);
  expect(await menuOf(page, mara)).toEqual(['My account', 'Settings', 'About', ...PAUSES, 'Logout']);
  for (const path of [
    '/admin',
    '/admin/users',
    '/admin/alerts',
    '/admin/webhook',
    '/admin/api-keys',
    '/admin/service-tokens',
    '/admin/nowhere',
  ]) {
    await page.goto(path);
    await expect(page).toHaveURL('/');
  }
});

test('an admin page that does not exist shows the 404 card; nobody signed in is asked to sign in', async ({
  open,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/admin/nowhere');
  await expect(heading(page, 'Page Not Found')).toBeVisible();
  const stranger = await open('/admin/users');
  await expect(stranger).toHaveURL('/login');
});

test('the Admin Panel shows how long alerts took to pages and to their screens', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // A page begins to report once its first screen is complete.
  const reported = async () => {
    await app.post({ customer: 'Tidewater Rail' });
    const latency = (await (await app.admin.request('GET', '/api/latency')).json()) as { shown: { samples: number } };
    return latency.shown.samples;
  };
  await expect.poll(reported).toBeGreaterThan(0);
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'Admin Panel' }).click();
  const panel = page.getByRole('region', { name: 'From webhook to screen' });
  for (const name of [/^Sent to every open page/, /^Drawn on a screen/]) {
    await expect(panel.getByRole('row', { name }).getByRole('cell')).toHaveText([/\d m?s$/, /\d m?s$/, /\d m?s$/]);
  }

  const none = { samples: 0, medianMs: null, p95Ms: null, p99Ms: null };
  await page.route('**/api/latency', (route) =>
    route.fulfill({ json: { minutes: 5, servers: 2, delivered: none, shown: none } }),
  );
  await page.reload();
  await expect(panel).toContainText('No new alert reached an open page in the last 5 minutes.');
  await expect(panel).toContainText('on one of 2 servers');
});

test('while the key of the secrets is in the database the Admin Panel says so, and what to do', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin');
  const warning = page.getByRole('main').locator('.bp6-callout');
  // Beside the embedded database the key is a file of its own.
  await expect(page.getByRole('region', { name: 'From webhook to screen' })).toContainText('last 5 minutes');
  await expect(warning).toHaveCount(0);
  await page.route('**/api/latency', async (route) => {
    const latency = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...latency, isKeyInDatabase: true } });
  });
  await page.reload();
  await expect(warning).toContainText('The key of the secrets is in the database');
  await expect(warning).toContainText('npm run secrets-key -- rotate');
  await expectAccessible(page);
});

test('the Admin Panel is accessible in both themes', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin');
  await expect(heading(page, 'Admin Panel')).toBeVisible();
  await expectAccessible(page);
});

test('every admin page leads back to the Admin Panel, and the menu says where one is', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  for (const path of ['/admin/users', '/admin/alerts', '/admin/webhook', '/admin/api-keys', '/admin/service-tokens']) {
    await page.goto(path);
    await page.getByRole('link', { name: 'Back to Admin Panel' }).click();
    await expect(page).toHaveURL('/admin');
  }
  await page.goto('/admin/users');
  await accountButton(page, ADMINISTRATOR).click();
  await expect(page.getByRole('menuitem', { name: 'Admin Panel' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('menuitem', { name: 'Settings' })).not.toHaveAttribute('aria-current', 'page');
});
