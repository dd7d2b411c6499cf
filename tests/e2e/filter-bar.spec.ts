import type { Page } from '@playwright/test';
import { viewSchema } from '#backend/contract/view.ts';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { choice } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const CUSTOMER = 'Northwind Traders International Holding and Logistics';
const WIDTHS = [1440, 1024, 768, 390];

const bar = (page: Page) => page.getByRole('group', { name: 'Filters', exact: true });
const feed = (page: Page) => page.getByRole('feed');
const sheet = (page: Page) => page.getByRole('group', { name: 'More filters' });

/** How far down the bar and the list begin, and how high the bar is, in pixels. */
async function places(page: Page) {
  await expect(feed(page)).toBeVisible();
  const [filters, list] = [await bar(page).boundingBox(), await feed(page).boundingBox()];
  return { bar: filters?.y, height: filters?.height, list: list?.y };
}

test('filters, late options, a search and a selection move neither the bar nor the list, at any width', async ({
  app,
  openAs,
}) => {
  // Every state at four widths.
  test.slow();
  const { id, key } = await makeSource(app, 'Production monitoring of the whole company in Europe');
  for (const severity of ['critical', 'high', 'warning']) {
    const alert = { severity, customer: CUSTOMER, type: `disk.full.on.${severity}`, title: `Disk ${severity}` };
    await app.post(alert);
    await send(app, key, { ...alert, title: `Volume ${severity}` });
  }
  const made = await app.admin.request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: 'volume' });
  const view = viewSchema.parse(await made.json());
  const three = new URLSearchParams([
    ['severity', 'critical'],
    ['severity', 'high'],
    ['customer', CUSTOMER],
    ['source', id],
  ]);
  const page = await openAs(ADMINISTRATOR, '/');
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    // The options come when everything else is there.
    const late = Promise.withResolvers<void>();
    await page.route('**/api/alerts/facets*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto('/');
    const first = await places(page);
    // A phone's has counts to be tapped in it. Without counts it stands beside the title there.
    const isPhone = width < 768;
    const height = isPhone ? 40 : 32;
    expect(first.height).toBe(height);
    late.resolve();
    await expect(
      bar(page)
        .getByRole('button', { name: /^Severity|^Filter/ })
        .first(),
    ).toBeVisible();
    expect(await places(page)).toEqual(first);
    await page.unroute('**/api/alerts/facets*');

    for (const path of [`/?${three}`, '/?search=disk', `/view/${view.id}`, `/view/${view.id}?v=1&search=disk`]) {
      await page.goto(path);
      await expect(bar(page).getByRole('button').first()).toBeVisible();
      expect(await places(page)).toEqual(first);
      expect(await bar(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
    }
    await page.goto('/my-alerts');
    await expect(bar(page)).toBeVisible();
    expect(await bar(page).boundingBox()).toMatchObject({ ...(!isPhone && { y: first.bar }), height });
    await page.goto(`/admin/alerts?status=pending&q=disk&${three}`);
    await expect(bar(page)).toBeVisible();
    expect(await bar(page).boundingBox()).toMatchObject({ y: first.bar, height });
    if (isPhone) continue;

    await page.goto('/');
    await feed(page).getByRole('article').first().focus();
    await page.keyboard.press('x');
    await expect(page.getByRole('toolbar')).toBeVisible();
    expect(await places(page)).toEqual(first);
  }
  await app.admin.request('DELETE', `/api/views/${view.id}`);
  await clearSources(app);
});

test('what has no space is behind one button with the number of what is set; one click takes a filter back', async ({
  app,
  openAs,
  mara,
}) => {
  for (const severity of ['critical', 'warning'])
    await app.post({ severity, customer: CUSTOMER, type: `disk.${severity}`, title: `Disk ${severity}` });
  await app.post({ severity: 'critical', customer: 'Atlas', title: 'Pump stopped' });
  const page = await openAs(
    mara,
    `/?severity=critical&customer=${encodeURIComponent(CUSTOMER)}&alertType=disk.critical`,
  );
  await page.setViewportSize({ width: 1024, height: 700 });
  await expect(feed(page).getByRole('article')).toHaveCount(1);
  await expect(bar(page).getByRole('button', { name: /^Customer/ })).toBeVisible();
  await expect(bar(page).getByRole('button', { name: /^Type/ })).toHaveCount(0);
  const value = bar(page).locator('.filter-button__value', { hasText: CUSTOMER });
  expect((await value.boundingBox())?.width).toBe(160);
  await bar(page).getByRole('button', { name: 'Filter 1 set' }).click();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  await sheet(page).getByRole('button', { name: 'Clear Type' }).click();
  await expect(bar(page).getByRole('button', { name: 'Filter', exact: true })).toBeVisible();
  await sheet(page).getByRole('button', { name: /^Type/ }).click();
  await choice(page, 'disk.warning').click();
  await expect(page.getByText('No critical alerts for this customer.')).toBeVisible();
  await expect(sheet(page).getByRole('button', { name: /^Type/ })).toHaveText('Typedisk.warning');
  await sheet(page).getByRole('button', { name: 'Clear Type' }).click();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);

  await bar(page).getByRole('button', { name: 'Clear Customer' }).click();
  await expect(bar(page).getByRole('button', { name: /^Customer/ })).toBeFocused();
  await expect(feed(page).getByRole('article')).toHaveCount(2);
  expect(new URL(page.url()).search).toBe('?severity=critical');
});
