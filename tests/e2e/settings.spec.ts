import type { Page } from '@playwright/test';
import type { AppServer } from './support/app-server.ts';
import { expectAccessible, findings, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, card, toast } from './support/screen.ts';

// A server of its own: of the hundreds of customers that other tests name, only those in view would be drawn.
test.use({ environment: { LOG_LEVEL: 'warn' } });

const panel = (page: Page, name: string) => page.getByRole('region', { name });
const customers = (page: Page) => panel(page, 'Customer Notification Preferences');
const types = (page: Page) => panel(page, 'Alert Type Subscriptions');
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const checkbox = (page: Page, name: string) => page.getByRole('checkbox', { name });

/** Answers of the lists that settings are made of, where a test needs others than the server's. */
async function pretend(page: Page, lists: { customers: string[]; types: string[] }): Promise<void> {
  const seen = lists.customers.map((name, index) => ({
    id: `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`,
    name,
    lastSeenAt: '2025-11-21T21:42:00.000Z',
  }));
  await page.route('**/api/customers', (route) => route.fulfill({ json: seen }));
  await page.route('**/api/alert-types', (route) => route.fulfill({ json: lists.types }));
}

const post = (app: AppServer, names: string[]) =>
  Promise.all(names.map((customer) => app.post({ customer, type: 'settings.changed' })));

test('Settings opens from the user menu', async ({ openAs, mara }) => {
  const page = await openAs(mara);
  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
});

test('the theme follows the choice, and the choice is remembered', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/settings', { colorScheme: 'light' });
  const html = page.locator('html');
  const theme = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Theme' });
  await expect(theme.getByRole('radio', { name: 'System' })).toBeChecked();
  await theme.getByRole('radio', { name: 'Dark' }).click();
  await expect(html).toHaveClass(/bp6-dark/);
  await page.reload();
  await expect(html).toHaveClass(/bp6-dark/);
  await expect(theme.getByRole('radio', { name: 'Dark' })).toBeChecked();
  await theme.getByRole('radio', { name: 'Light' }).click();
  await expect(html).not.toHaveClass(/bp6-dark/);
});

test('cards stand apart in comfortable mode, which is remembered', async ({ app, openAs }) => {
  for (const customer of ['Second', 'First'])
    await app.post({ customer, host: 'db-7', region: 'eu', load: 3, unit: 'x' });
  const page = await openAs(ADMINISTRATOR);
  const distance = async (): Promise<number> => {
    const [one, other] = [await card(page, 'First').boundingBox(), await card(page, 'Second').boundingBox()];
    return (other?.y ?? 0) - (one?.y ?? 0);
  };
  await expect.poll(distance).toBe(73);
  await page.goto('/settings');
  const density = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Density' });
  await expect(density.getByRole('radio', { name: 'Dense' })).toBeChecked();
  await density.getByRole('radio', { name: 'Comfortable' }).click();
  await page.goto('/');
  await expect.poll(distance).toBe(112 + 8);
  expect((await card(page, 'First').boundingBox())?.height).toBe(112);
  expect(await findings(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectAccessible(page);
  await page.reload();
  await page.goto('/settings');
  await density.getByRole('radio', { name: 'Dense' }).click();
  await page.goto('/');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(distance).toBe(73);
});

test('Z is switched off for who speaks to the device, and stays off', async ({ app, openAs }) => {
  await app.post({ customer: 'First' });
  const page = await openAs(ADMINISTRATOR, '/settings');
  const undoKey = panel(page, 'Appearance').getByRole('radiogroup', { name: 'Single-key shortcuts' });
  await expect(undoKey.getByRole('radio', { name: 'On' })).toBeChecked();
  await undoKey.getByRole('radio', { name: 'Off' }).click();
  await page.goto('/');
  await card(page, 'First').getByRole('button', { name: 'Accept' }).click();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await expect(undo).toHaveText('Undo');
  await page.keyboard.press('z');
  await page.keyboard.press('Z');
  await undo.click();
  await expect(card(page, 'First')).toBeVisible();

  await page.goto('/settings');
  await undoKey.getByRole('radio', { name: 'On' }).click();
  await page.goto('/');
  await card(page, 'First').getByRole('button', { name: 'Accept' }).click();
  await expect(undo).toHaveText('UndoZ');
  await page.keyboard.press('z');
  await expect(card(page, 'First')).toBeVisible();
});

test('the desktop app is described, with a link to its releases in a new tab', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/settings');
  const app = panel(page, 'Windows Desktop App');
  await expect(app.getByRole('list', { name: 'Features' }).getByRole('listitem')).toHaveText([
    'Toast notifications',
    'Taskbar unread badge',
    'Tray menu',
    'Shortcuts Ctrl+1 Ctrl+2 Ctrl+R',
    'Real-time updates',
  ]);
  await expect(app.getByRole('list', { name: 'How to install' }).getByRole('listitem')).toHaveText([
    'Download the latest release',
    'Run the .exe',
    'Updates install automatically',
  ]);
  const download = app.getByRole('link', { name: 'Download Latest Release' });
  await expect(download).toHaveAttribute('href', 'https://github.com/alertdesk/alertdesk/releases/latest');
  await expect(download).toHaveAttribute('target', '_blank');
  await expect(download).toHaveAttribute('rel', /noopener/);
});

test('a customer is muted and unmuted, for this member only', async ({ app, openAs, mara }) => {
  await post(app, ['Quayside Ferries']);
  const page = await openAs(mara, '/settings');
  const theirs = checkbox(page, 'Quayside Ferries');
  await expect(theirs).toBeChecked();
  await expect(row(page, 'Quayside Ferries')).toContainText(
    /Last seen [A-Z][a-z]{2} \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M/,
  );
  await expect(row(page, 'Quayside Ferries')).not.toContainText('Muted');
  await row(page, 'Quayside Ferries').getByText('Quayside Ferries').click();
  await expect(toast(page)).toContainText('Customer muted');
  await expect(theirs).not.toBeChecked();
  await expect(row(page, 'Quayside Ferries')).toContainText('Muted');
  await page.reload();
  await expect(theirs).not.toBeChecked();
  await theirs.press('Space');
  await expect(toast(page)).toContainText('Customer unmuted');
  await expect(theirs).toBeChecked();

  const other = await openAs(ADMINISTRATOR, '/settings');
  await expect(checkbox(other, 'Quayside Ferries')).toBeChecked();
});

test('the cards of a muted customer carry a sleeping bell', async ({ app, openAs, mara }) => {
  await post(app, ['Quayside Ferries', 'Harbour Lights']);
  const page = await openAs(mara, '/settings');
  await checkbox(page, 'Quayside Ferries').press('Space');
  await expect(toast(page)).toContainText('Customer muted');
  await page.goto('/');
  await expect(card(page, 'Quayside Ferries').getByText('Muted', { exact: true })).toHaveCount(1);
  await expect(card(page, 'Harbour Lights').getByText('Muted', { exact: true })).toHaveCount(0);
});

test('an alert type is muted and unmuted, whatever its name', async ({ app, openAs, mara }) => {
  const type = 'disk/full & slow? 🚨';
  await app.post({ customer: 'Nordwind', type });
  const page = await openAs(mara, '/settings');
  const theirs = row(page, type);
  await expect(theirs).toContainText('Desktop alerts enabled for this type');
  await checkbox(page, type).press('Space');
  await expect(toast(page)).toContainText('Alert type muted');
  await expect(theirs).toContainText('Muted');
  await expect(theirs).toContainText('Desktop alerts disabled for this type');
  await page.reload();
  await expect(checkbox(page, type)).not.toBeChecked();
  await checkbox(page, type).press('Space');
  await expect(toast(page)).toContainText('Alert type unmuted');
  await expect(theirs).toContainText('Desktop alerts enabled for this type');
});

test('all customers are muted and enabled in one call each, where that changes anything', async ({
  app,
  openAs,
  mara,
}) => {
  await post(app, ['Atlas Freight', 'Bluepeak Energy']);
  const page = await openAs(mara, '/settings');
  const calls: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') calls.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const [enable, mute] = ['Enable All', 'Mute All'].map((name) => customers(page).getByRole('button', { name }));
  if (!enable || !mute) throw new Error('A button is missing.');
  await expect(customers(page)).toContainText('By default you are notified of every customer.');
  await expect(enable).toBeDisabled();
  await mute.click();
  await expect(toast(page)).toContainText('All customers muted');
  await expect(customers(page).getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(customers(page)).not.toContainText('By default you are notified of every customer.');
  await expect(mute).toBeDisabled();
  await enable.click();
  await expect(toast(page)).toContainText('All customers enabled');
  await expect(customers(page).getByRole('checkbox', { checked: false })).toHaveCount(0);
  await expect(enable).toBeDisabled();
  expect(calls).toEqual(['POST /api/customer-mutes/bulk', 'POST /api/customer-mutes/bulk']);

  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/customer-mutes/bulk', async (route) => {
    await released;
    await route.fulfill({ status: 503, body: 'The database is away.' });
  });
  await checkbox(page, 'Atlas Freight').press('Space');
  await expect(enable).toBeEnabled();
  await mute.click();
  await expect(mute).toBeDisabled();
  await expect(enable).toBeDisabled();
  release();
  await expect(toast(page)).toContainText('Error');
  await expect(toast(page)).toContainText('Failed to mute all customers');
  await enable.click();
  await expect(toast(page)).toContainText('Failed to enable all customers');
  await expect(checkbox(page, 'Atlas Freight')).not.toBeChecked();
});

test('a change that fails is taken back and reported', async ({ app, openAs, mara }) => {
  await post(app, ['Harbour Lights']);
  const page = await openAs(mara, '/settings');
  await page.route('**/api/customer-mutes', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: 'Away.' }) : route.continue(),
  );
  await checkbox(page, 'Harbour Lights').press('Space');
  await expect(toast(page)).toContainText('503: Away.');
  await expect(checkbox(page, 'Harbour Lights')).toBeChecked();
});

test('customers are sorted by name, and can be searched above five', async ({ openAs, mara }) => {
  const page = await openAs(mara);
  const five = ['Zenith', 'atlas', 'Meridian', 'Kestrel', 'Oakline'];
  await pretend(page, { customers: five, types: [] });
  await page.goto('/settings');
  await expect(customers(page).getByRole('checkbox')).toHaveCount(5);
  const search = customers(page).getByRole('searchbox', { name: 'Search customers' });
  await expect(search).toHaveCount(0);
  await expect(row(page, 'Zenith')).toContainText('Last seen Nov 21, 2025 at 9:42 PM');
  const names = await customers(page).getByRole('listitem').allTextContents();
  expect(names.map((name) => name.replace(/Last seen.*$/, ''))).toEqual([
    'atlas',
    'Kestrel',
    'Meridian',
    'Oakline',
    'Zenith',
  ]);

  await page.unroute('**/api/customers');
  await pretend(page, { customers: [...five, 'Tern'], types: [] });
  await page.reload();
  await search.fill('TER');
  await expect(customers(page).getByRole('checkbox')).toHaveCount(1);
  await expect(checkbox(page, 'Tern')).toBeVisible();
  await search.fill('nobody');
  await expect(customers(page)).toContainText('No customers found matching "nobody"');
  await expect(search).toBeVisible();
});

test('without customers and types there is nothing to set, and it says so', async ({ openAs, mara }) => {
  const page = await openAs(mara);
  await pretend(page, { customers: [], types: [] });
  await page.goto('/settings');
  await expect(types(page)).toContainText('No alert types yet');
  await expect(customers(page)).toContainText('No customers yet');
  for (const name of ['Enable All', 'Mute All'])
    await expect(customers(page).getByRole('button', { name })).toBeDisabled();
});

test('lists that cannot be read say so, each for itself', async ({ app, openAs, mara }) => {
  await post(app, ['Harbour Lights']);
  const page = await openAs(mara);
  await page.route('**/api/customers', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await page.goto('/settings');
  await expect(customers(page)).toContainText('Customers could not be loaded');
  await expect(checkbox(page, 'settings.changed')).toBeVisible();
  await page.unroute('**/api/customers');
  await customers(page).getByRole('button', { name: 'Try again' }).click();
  await expect(checkbox(page, 'Harbour Lights')).toBeVisible();
});

test('Settings is accessible with much in it in both themes', async ({ openAs, mara }) => {
  const page = await openAs(mara, '/');
  const long = [
    'شركة الشرق للتأمين والخدمات المالية الدولية المحدودة',
    `Donau${'dampfschiff'.repeat(12)}`,
    '🚨🔥 & Co',
  ];
  const many = Array.from({ length: 20 }, (_, index) => `Customer ${index}`);
  await pretend(page, { customers: [...long, ...many], types: [...long, 'disk.full'] });
  await page.route('**/api/alert-types/mutes', (route) => route.fulfill({ json: long }));
  await page.goto('/settings');
  await expect(customers(page).getByRole('checkbox')).toHaveCount(23);
  await expectAccessible(page);
  await customers(page).getByRole('searchbox').fill('nobody');
  expect(await findingsInThemes(page)).toEqual([]);
  await expect(row(page, 'disk.full')).toContainText('enabled');
});
