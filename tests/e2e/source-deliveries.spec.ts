import type { Locator, Page } from '@playwright/test';
import { expectAccessible, findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const style = (locator: Locator, name: string): Promise<string> =>
  locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test.beforeEach(({ app }) => clearSources(app));

test('rows wait while the pointer is over the list, and come when they are asked for', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Held');
  await send(app, key, { title: 'First' });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}`);
  const links = page.getByRole('table', { name: 'Deliveries' }).getByRole('link');
  await expect(links).toHaveText(['First']);
  await links.first().hover();
  await send(app, key, { title: 'Second' });
  await page.getByRole('button', { name: '1 new delivery' }).click();
  await expect(links).toHaveText(['Second', 'First']);
});

test('a mapping is tried live, an error is explained, and saving applies from then on', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Mapped', 'generic');
  await send(app, key, { order: { no: 'HF-204918' }, failure: { reason: 'Card issuer declined' } });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  const title = page.getByLabel('title', { exact: true });
  await title.fill('failure.reason');
  await expect(page.getByRole('region', { name: 'The alert' })).toContainText('Card issuer declined');
  await page.getByRole('button', { name: 'Use order.no as…' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'dedup key' }).click();
  await expect(page.getByLabel('dedup key', { exact: true })).toHaveValue('order.no');
  const link = page.getByLabel('link', { exact: true });
  await link.fill('order.admin_url[');
  await expect(page.getByText('1 path to fix')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save mapping' })).toBeDisabled();
  await page.getByRole('link', { name: 'Settings' }).last().click();
  await expect(dialog(page, 'Leave without saving?')).toBeVisible();
  await page.keyboard.press('Escape');
  await link.fill('');
  await page.getByRole('button', { name: 'Save mapping' }).click();
  await expect(toast(page)).toContainText('Mapping saved');
  await send(app, key, { order: { no: 'HF-1' }, failure: { reason: 'Again' } });
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await expect(page.getByRole('link', { name: 'Again' })).toBeVisible();
});

test('the list of sources, a new one and unknown keys are accessible in both themes', async ({ app, openAs }) => {
  await makeSource(app, 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 🚨');
  const page = await openAs(ADMINISTRATOR, '/admin/sources');
  for (const path of ['', '/new', '/unknown-keys']) {
    await page.goto(`/admin/sources${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page);
  }
});

test('every tab of a source is accessible in both themes', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Looked at');
  await send(app, key, { title: 'Disk full', customer: 'Nordwind' });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}`);
  for (const tab of ['deliveries', 'set-up', 'mapping', 'settings']) {
    await page.goto(`/admin/sources/${id}/${tab}`);
    await expect(heading(page, 'Looked at')).toBeVisible();
    await expectAccessible(page);
  }
});

test('a delivery and the page of a new source are accessible', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Looked at');
  await send(app, key, { title: 'Disk full', customer: 'Nordwind' });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}`);
  await page.getByRole('link', { name: 'Disk full' }).click();
  await expect(page.getByRole('heading', { name: 'Why this became that' })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/admin/sources/new?sender=github');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expect(page.getByText('Waiting for the first delivery…')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('with forced colours the tab, the filled-in values and the marked line stand out', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Forced', 'alertmanager');
  await send(app, key, { title: 'Disk full', customer: 'Nordwind' });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}/set-up`, { forcedColors: 'active' });
  const tab = (name: string) => page.getByRole('link', { name, exact: true });
  expect(await style(tab('Set-up'), 'border-bottom-style')).toBe('solid');
  // An edge in the page's own colour would cut the line below the tabs.
  expect(await style(tab('Mapping'), 'border-bottom-style')).toBe('none');
  for (const shown of ['Highlighted', `${app.url.origin}/webhook`]) {
    expect(await style(page.getByText(shown, { exact: true }), 'text-decoration-line')).toBe('underline');
  }

  await tab('Deliveries').click();
  await page.getByRole('link', { name: 'Disk full' }).click();
  await page.getByRole('button', { name: /^customer/ }).hover();
  const marked = page.locator('.ad-body-line--marked');
  await expect(marked).toContainText('Nordwind');
  expect(await style(marked, 'outline-style')).toBe('solid');
  const other = page.locator('.ad-body-line', { hasText: 'Disk full' });
  expect(await style(other, 'border-inline-start-color')).toBe(await style(page.locator('body'), 'background-color'));
});
