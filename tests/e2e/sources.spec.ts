import type { Page } from '@playwright/test';
import { sourceListSchema } from '#backend/contract/source.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Sources' }).getByRole('row').filter({ hasText: name });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test.beforeEach(({ app }) => clearSources(app));

test('sources are listed with sender and health, searched with the slash key, and lead to their pages', async ({
  app,
  openAs,
}) => {
  await makeSource(app, 'Kestrel uptime', 'uptime-kuma');
  await makeSource(app, 'Shop orders', 'generic');
  const page = await openAs(ADMINISTRATOR, '/admin');
  await page.getByRole('main').getByRole('link', { name: 'Sources' }).click();
  await expect(page).toHaveURL('/admin/sources');
  await expect(heading(page, 'Sources')).toBeVisible();
  await expect(page.getByText('3 sources')).toBeVisible();
  await expect(row(page, 'Kestrel uptime')).toContainText('Uptime Kuma');
  await expect(row(page, 'Kestrel uptime')).toContainText('Never used');

  await page.keyboard.press('/');
  await expect(page.getByLabel('Search sources')).toBeFocused();
  await page.keyboard.type('any json');
  await expect(row(page, 'Shop orders')).toBeVisible();
  await expect(row(page, 'Kestrel uptime')).toHaveCount(0);
  await page.getByLabel('Search sources').fill('nothing of the kind');
  await expect(page.getByText('No sources match “nothing of the kind”')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();

  await page.getByRole('button', { name: /^Health/ }).click();
  await page.getByRole('menuitemradio', { name: 'Never used' }).click();
  await expect(row(page, 'Kestrel uptime')).toBeVisible();
  await row(page, 'Kestrel uptime').getByRole('link', { name: 'Kestrel uptime' }).click();
  await expect(heading(page, 'Kestrel uptime')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Deliveries' })).toHaveAttribute('aria-current', 'page');
});

test('the list keeps its order while it is open', async ({ app, openAs }) => {
  const { id } = await makeSource(app, 'Zebra');
  const page = await openAs(ADMINISTRATOR, '/admin/sources');
  const names = page.getByRole('table', { name: 'Sources' }).getByRole('link');
  await expect(names).toHaveText(['End-to-end tests', 'Zebra']);
  await app.admin.request('PATCH', `/api/sources/${id}`, { name: 'Aardvark' });
  await makeSource(app, 'Badger');
  await expect(names).toHaveText(['End-to-end tests', 'Aardvark', 'Badger']);
  await page.reload();
  await expect(names).toHaveText(['Aardvark', 'Badger', 'End-to-end tests']);
});

test('a source is paused from its menu, undone, and deleted after a question', async ({ app, openAs }) => {
  const { key } = await makeSource(app, 'Oakline stock sync');
  const page = await openAs(ADMINISTRATOR, '/admin/sources');
  const menu = row(page, 'Oakline stock sync').getByRole('button', { name: 'Actions for Oakline stock sync' });
  await menu.click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Open',
    'Copy address',
    'Send test',
    'Rotate secret',
    'Pause',
    'Delete',
  ]);
  await page.getByRole('menuitem', { name: 'Pause' }).click();
  await expect(row(page, 'Oakline stock sync')).toContainText('Paused');
  await expect(row(page, 'Oakline stock sync')).toContainText('By Administrator');
  await expect(toast(page)).toContainText('Source paused');
  await toast(page).getByRole('button', { name: /^Undo/ }).click();
  await expect(row(page, 'Oakline stock sync')).toContainText('Never used');

  await menu.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = dialog(page, 'Delete “Oakline stock sync”?');
  await expect(question).toContainText('Its alerts stay.');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Delete source' }).click();
  await expect(row(page, 'Oakline stock sync')).toHaveCount(0);
  expect((await send(app, key, {})).status).toBe(401);
});

test('a new source shows its secret once, fills the set-up in, and asks before it is left without', async ({
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/admin/sources');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'New source' }).click();
  await expect(page.getByRole('radio')).toHaveCount(25);
  await page.getByRole('radio', { name: /^Any JSON/ }).focus();
  await page.keyboard.type('prom');
  await expect(page.getByLabel('Search senders')).toHaveValue('prom');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /Alertmanager/ })).toBeChecked();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveValue('Alertmanager');
  await name.fill('Alertmanager production');
  await name.press('Enter');

  await expect(heading(page, 'Alertmanager production')).toBeVisible();
  const secret = (await page.locator('.ad-secret-text', { hasText: /^ad_/ }).textContent()) ?? '';
  expect(secret).toMatch(/^ad_[\w-]{43}$/);
  await expect(page.getByRole('region', { name: 'alertmanager.yml' })).toContainText(`credentials: ${secret}`);
  await expect(page.getByText('Waiting for the first delivery…')).toBeVisible();
  // In text alone, and nowhere else.
  expect(
    await page.evaluate<string>(
      'location.href + JSON.stringify([history.state, { ...sessionStorage }, { ...localStorage }])',
    ),
  ).not.toContain(secret);
  expect(
    await page.evaluate<string[]>(
      "[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].map(({ value }) => value))",
    ),
  ).not.toContain(secret);

  const leaving = dialog(page, 'Leave without the secret?');
  await page.getByRole('link', { name: 'My Alerts' }).click();
  await expect(leaving).toContainText(secret);
  await expect(leaving.getByRole('button', { name: 'Copy and leave' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(leaving).toHaveCount(0);
  await page.goBack();
  await expect(leaving).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/admin/sources/new');
  await page.getByRole('button', { name: 'Done' }).click();
  await leaving.getByRole('button', { name: 'Copy and leave' }).click();
  await expect(page).toHaveURL(/\/admin\/sources\/[\da-f-]{36}\/deliveries$/);
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
  await page.getByRole('link', { name: 'Set-up' }).click();
  await expect(page.getByRole('region', { name: 'alertmanager.yml' })).toContainText(`••••${secret.slice(-4)}`);
  await expect(page.getByText(secret)).toHaveCount(0);
});

test('a copied secret needs no question, and a name that exists is said below its field', async ({ app, openAs }) => {
  await makeSource(app, 'Night shift');
  const page = await openAs(ADMINISTRATOR, '/admin/sources/new');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const name = page.getByLabel('Name', { exact: true });
  await expect(page.getByRole('button', { name: 'Create source' })).toBeDisabled();
  await name.fill('Night shift');
  await name.press('Enter');
  await expect(page.getByText('A source of this name exists already.')).toBeVisible();
  await expect(name).toHaveValue('Night shift');
  await name.fill('Day shift');
  await name.press('Enter');
  await page.getByRole('button', { name: 'Copy secret' }).click();
  await expect(page.getByText('Copied', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(heading(page, 'Day shift')).toBeVisible();
});

test('settings save at once and can be undone; a way that is in use is asked about', async ({ app, openAs }) => {
  const { id } = await makeSource(app, 'Settled');
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  const settings = async () =>
    sourceListSchema
      .parse(await (await app.admin.request('GET', '/api/sources')).json())
      .find((source) => source.id === id)?.settings;
  await page.getByLabel('Reopen after completion').selectOption('60');
  await expect(toast(page)).toContainText('Reopen after completion saved');
  expect((await settings())?.reopenWithinMinutes).toBe(60);
  await toast(page).getByRole('button', { name: /^Undo/ }).click();
  await expect(page.getByLabel('Reopen after completion')).toHaveValue('15');

  await page.getByLabel('Name', { exact: true }).fill('Settled better');
  await page.getByLabel('Name', { exact: true }).press('Enter');
  await expect(heading(page, 'Settled better')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Basic' }).click({ force: true });
  await expect.poll(async () => (await settings())?.auth.basic).toBe(false);
  await page.getByRole('checkbox', { name: 'Address with a token' }).click({ force: true });
  await expect.poll(async () => (await settings())?.auth.token).toBe(false);
  await page.getByRole('checkbox', { name: 'Key in a header' }).click({ force: true });
  await expect(dialog(page, 'Turn off “Key in a header”?')).toContainText('the only way that is on');
  await page.keyboard.press('Escape');
  expect((await settings())?.auth.key).toBe(true);
});

test('a rotated secret is shown once; the old one works until it is expired', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Rotated');
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await dialog(page, 'Rotate secret of “Rotated”?').getByRole('button', { name: 'Rotate secret' }).click();
  const shown = dialog(page, 'New secret');
  const fresh = (await shown.locator('.ad-secret-text').textContent()) ?? '';
  expect(fresh).toMatch(/^ad_/);
  await page.keyboard.press('Escape');
  await expect(shown).toContainText('You have not copied it.');
  await shown.getByRole('button', { name: 'Keep open' }).click();
  await shown.getByRole('button', { name: 'Copy secret' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  await expect(page.getByText(/^Expires in 2[34] h$/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rotate', exact: true })).toBeDisabled();
  expect((await send(app, key, {})).status).toBe(202);
  await page.getByRole('button', { name: /^Expire now/ }).click();
  await expect(page.getByRole('button', { name: 'Rotate', exact: true })).toBeEnabled();
  expect((await send(app, key, {})).status).toBe(401);
  expect((await send(app, fresh, {})).status).toBe(202);
});

test('what cannot be loaded says so, and a source that is gone too', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await page.route('**/api/sources', (route) => route.fulfill({ status: 503, body: 'The database does not answer.' }));
  await page.goto('/admin/sources');
  await expect(page.getByText('Sources could not be loaded')).toBeVisible();
  await expect(page.getByText('503: The database does not answer.')).toBeVisible();
  await page.unroute('**/api/sources');
  const again = page.getByRole('button', { name: 'Try again' });
  // A connection that opens just now asks again as well.
  await expect(async () => {
    if (await again.isVisible()) await again.click({ timeout: 1000 });
    await expect(row(page, 'End-to-end tests')).toBeVisible({ timeout: 1000 });
  }).toPass();
  await page.route('**/api/sources', (route) => route.fulfill({ json: [] }));
  await page.reload();
  await expect(page.getByText('No sources yet')).toBeVisible();
  await page.goto('/admin/sources/0190a000-0000-7000-8000-000000000000/settings');
  await expect(page.getByText('Source not found')).toBeVisible();
});

test('members and super users are sent away from the pages about sources', async ({ app, openAs, mara }) => {
  const sunniva = await app.addMember('Sunniva Berg', 'super_user');
  for (const person of [mara, sunniva]) {
    const page = await openAs(person, '/admin/sources');
    await expect(page).toHaveURL('/');
  }
});
