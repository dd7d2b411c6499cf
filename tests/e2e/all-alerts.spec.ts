import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { oneOfEach } from './support/queue.ts';
import { card } from './support/screen.ts';

const PATH = '/admin/alerts';

const cards = (page: Page) => page.getByRole('feed', { name: 'System-Wide Alerts' }).getByRole('article');
const searchBox = (page: Page) => page.getByPlaceholder('Search by customer, URL, or payload...');

/** The numbers of the five stat cards, in their order. */
const stats = async (page: Page): Promise<string[]> =>
  page.locator('.all-alerts-page__stat').evaluateAll((all) => all.map((stat) => stat.textContent ?? ''));

test('typing asks the server once it pauses, Enter at once; a tooltip opens after 700 ms, the next one within 300 ms at once', async ({
  app,
  openAs,
}) => {
  await oneOfEach(app);
  const page = await openAs(ADMINISTRATOR, PATH);
  await expect(cards(page)).toHaveCount(4);
  await expectAccessible(page);
  await searchBox(page).fill('nothing like this');
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
  await searchBox(page).fill('');
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(cards(page)).toHaveCount(4);

  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/alerts/all') asked.push(url.searchParams.get('q'));
  });
  await page.clock.install();
  await searchBox(page).pressSequentially('done');
  await page.clock.runFor(250);
  await expect(cards(page)).toHaveCount(1);
  await expect.poll(() => asked.at(-1)).toBe('done');
  await page.clock.pauseAt(Date.now() + 60_000);
  await searchBox(page).fill('working');
  await searchBox(page).press('Enter');
  await expect.poll(() => asked.at(-1)).toBe('working');
  await page.clock.resume();
  await expect(card(page, 'Working Ltd')).toBeVisible();
  await searchBox(page).fill('');
  await searchBox(page).press('Enter');
  await expect(cards(page)).toHaveCount(4);

  const tooltip = page.locator('.bp6-tooltip');
  const buttons = cards(page).getByRole('button', { name: 'Alert history' });
  // Past the time that the clock of the page has by now.
  await page.clock.pauseAt(Date.now() + 600_000);
  await buttons.first().hover();
  await page.clock.runFor(699);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText('Alert history');
  await searchBox(page).hover();
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(299);
  await buttons.nth(1).hover();
  await page.clock.runFor(1);
  await expect(tooltip).toHaveText('Alert history');
  await searchBox(page).hover();
  await page.clock.runFor(300);
  await buttons.first().hover();
  await page.clock.runFor(1);
  await expect(tooltip).toHaveCount(0);
});

test('a long list comes page by page', async ({ app, openAs }) => {
  for (let count = 0; count < 130; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR, PATH);
  await expect.poll(() => stats(page)).toContain('Total130');
  await cards(page).first().hover();
  await page.mouse.wheel(0, 20_000);
  await expect(page.locator('article[aria-posinset="101"]')).toBeVisible();
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(page.locator('article[aria-posinset="130"]')).toContainText('Waiting 0');
  expect(await cards(page).count()).toBeLessThan(40);
});
