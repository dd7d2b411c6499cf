import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { clearSources, makeSource } from './support/sources.ts';

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
