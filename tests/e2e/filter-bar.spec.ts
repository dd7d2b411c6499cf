import type { Page } from '@playwright/test';
import { viewSchema } from '#backend/contract/view.ts';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { choice } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const CUSTOMER = 'Northwind Traders International Holding and Logistics';
const WIDTHS = [1440, 1024, 768, 390];

/** Narrower than this is a phone, whose bar has counts to be tapped in it, in pixels. */
const PHONE = 768;
const heightAt = (width: number): number => (width < PHONE ? 40 : 32);

const bar = (page: Page) => page.getByRole('group', { name: 'Filters', exact: true });
const feed = (page: Page) => page.getByRole('feed');
const sheet = (page: Page) => page.getByRole('group', { name: 'More filters' });

/** How far down the bar and the list begin, and how high the bar is, in pixels. */
interface Places {
  bar: number | undefined;
  height: number | undefined;
  list: number | undefined;
}

async function placesOn(page: Page): Promise<Places> {
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
  const places = new Map<number, Places>();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    // The options come when everything else is there.
    const late = Promise.withResolvers<void>();
    await page.route('**/api/alerts/facets*', async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto('/');
    const first = await placesOn(page);
    expect(first.height).toBe(heightAt(width));
    places.set(width, first);
    late.resolve();
    await expect(
      bar(page)
        .getByRole('button', { name: /^Severity|^Filter/ })
        .first(),
    ).toBeVisible();
    expect(await placesOn(page)).toEqual(first);
    await page.unroute('**/api/alerts/facets*');
    if (width < PHONE) continue;

    await feed(page).getByRole('article').first().focus();
    await page.keyboard.press('x');
    await expect(page.getByRole('toolbar')).toBeVisible();
    expect(await placesOn(page)).toEqual(first);
  }

  // Each page is loaded once, and its window made wider and narrower.
  for (const path of [`/?${three}`, '/?search=disk', `/view/${view.id}`, `/view/${view.id}?v=1&search=disk`]) {
    await page.goto(path);
    await expect(bar(page).getByRole('button').first()).toBeVisible();
    for (const [width, first] of places) {
      await page.setViewportSize({ width, height: 700 });
      await expect.poll(() => placesOn(page)).toEqual(first);
      // What has no room is folded once its width is known.
      await expect
        .poll(() => bar(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
        .toBe(true);
    }
  }
  for (const path of ['/my-alerts', `/admin/alerts?status=pending&q=disk&${three}`]) {
    await page.goto(path);
    await expect(bar(page)).toBeVisible();
    for (const [width, first] of places) {
      await page.setViewportSize({ width, height: 700 });
      // My Alerts of a phone has no counts above it, so that the bar stands beside the title.
      const isAsInInbox = width >= PHONE || path !== '/my-alerts';
      const expected = { ...(isAsInInbox && { y: first.bar }), height: heightAt(width) };
      await expect.poll(() => bar(page).boundingBox()).toMatchObject(expected);
    }
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
