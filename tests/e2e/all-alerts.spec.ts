import type { Page } from '@playwright/test';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { oneOfEach } from './support/queue.ts';
import { card, connected } from './support/screen.ts';

const PATH = '/admin/alerts';

const cards = (page: Page) => page.getByRole('feed', { name: 'System-Wide Alerts' }).getByRole('article');
const status = (page: Page, name: string) =>
  page.getByRole('radiogroup', { name: 'Status' }).getByRole('radio', { name, exact: true });
const searchBox = (page: Page) => page.getByPlaceholder('Search by customer, URL, or payload...');

/** The numbers of the five stat cards, in their order. */
const stats = async (page: Page): Promise<string[]> =>
  page.locator('.ad-stat').evaluateAll((all) => all.map((stat) => stat.textContent ?? ''));

test('typing asks the server once it pauses, Enter at once', async ({ app, openAs }) => {
  await oneOfEach(app);
  const page = await openAs(ADMINISTRATOR, PATH);
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
  expect(asked.at(-1)).toBe('done');
  await page.clock.pauseAt(Date.now() + 60_000);
  await searchBox(page).fill('working');
  await searchBox(page).press('Enter');
  await expect.poll(() => asked.at(-1)).toBe('working');
  await page.clock.resume();
  await expect(card(page, 'Working Ltd')).toBeVisible();
});

test('what others do is seen at once, in the list, its filters and its numbers', async ({ app, openAs, mara }) => {
  const page = await openAs(ADMINISTRATOR, PATH);
  await connected(page);
  await expect(page.getByText('No alerts in the system yet')).toBeVisible();
  await app.post({ customer: 'Harbour Lights' });
  await expect(card(page, 'Harbour Lights')).toContainText('PendingUnassigned');
  await expect.poll(() => stats(page)).toContain('Pending1');

  const theirs = await openAs(mara);
  await card(theirs, 'Harbour Lights').getByRole('button', { name: 'Accept' }).click();
  await expect(card(page, 'Harbour Lights')).toContainText('AcceptedAssignedMara Lindqvist');
  await expect.poll(() => stats(page)).toContain('Accepted1');

  await status(page, 'In Progress').click();
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  await theirs.goto('/my-alerts');
  await card(theirs, 'Harbour Lights').getByText('In Progress').click();
  await expect(card(page, 'Harbour Lights')).toContainText('In Progress');
  await card(theirs, 'Harbour Lights').getByText('Completed').click();
  await expect(card(page, 'Harbour Lights')).toHaveCount(0);
  await status(page, 'All').click();
  await expect(card(page, 'Harbour Lights')).toContainText('Completed');

  await theirs.getByRole('button', { name: 'More actions' }).click();
  await theirs.getByRole('menuitem', { name: 'Unaccept' }).click();
  await expect(card(page, 'Harbour Lights')).toContainText('PendingUnassigned');
  await searchBox(page).fill('harbour');
  await expect(card(page, 'Harbour Lights')).toBeVisible();
  await app.post({ customer: 'Harbour Bridge' });
  await expect(card(page, 'Harbour Bridge')).toBeVisible();

  await app.clear();
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect.poll(() => stats(page)).toContain('Total0');
});

test('a long list comes page by page', async ({ app, openAs }) => {
  for (let count = 0; count < 130; count += 1) await app.post({ customer: `Waiting ${count}` });
  const page = await openAs(ADMINISTRATOR, PATH);
  await expect.poll(() => stats(page)).toContain('Total130');
  await cards(page).first().focus();
  await page.keyboard.press('End');
  await expect(page.locator('article[aria-posinset="101"]')).toBeVisible();
  await page.keyboard.press('End');
  await expect(page.locator('article[aria-posinset="130"]')).toContainText('Waiting 0');
  expect(await cards(page).count()).toBeLessThan(40);
});

test('a tooltip opens after 700 ms, the next one within 300 ms at once', async ({ app, openAs }) => {
  await oneOfEach(app);
  const page = await openAs(ADMINISTRATOR, PATH);
  await expect(cards(page)).toHaveCount(4);
  const tooltip = page.locator('.bp6-tooltip');
  const buttons = cards(page).getByRole('button', { name: 'Alert history' });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
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

test('System-Wide Alerts is accessible in both themes', async ({ app, openAs }) => {
  await oneOfEach(app);
  const page = await openAs(ADMINISTRATOR, PATH);
  await expect(cards(page)).toHaveCount(4);
  await expectAccessible(page);
  await searchBox(page).fill('nothing like this');
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
});
