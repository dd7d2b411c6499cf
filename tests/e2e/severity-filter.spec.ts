import type { Page } from '@playwright/test';
import type { AppServer } from './support/app-server.ts';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { chooseFilter, connected, filterButton } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const titles = (page: Page) => page.getByRole('feed').locator('.ad-card-title');
/** The titles as they are drawn; a hidden name for assistive technology stands before each. */
const expectTitles = (page: Page, expected: string[]) =>
  expect(titles(page)).toHaveText(expected, { useInnerText: true });
const severities = (page: Page) => page.getByRole('menu', { name: 'Severity' });
const severity = (page: Page, name: string) =>
  severities(page).getByRole('menuitemcheckbox', { name: new RegExp(`^${name}`) });

const report = (title: string, level: string) => ({ title, severity: level, state: 'firing', dedup_key: title });
const post = (app: AppServer, title: string, level: string) => app.post(report(title, level));

test.afterEach(({ app }) => clearSources(app));

test('severities are checked with their marks and counts; the choice is in the address', async ({
  app,
  openAs,
  mara,
}) => {
  await post(app, 'Disk full', 'critical');
  await post(app, 'Latency', 'warning');
  await post(app, 'Payment failed', 'high');
  await post(app, 'Disk full too', 'critical');
  const page = await openAs(mara);
  await connected(page);
  await filterButton(page, 'Severity').click();
  await expect(severity(page, 'All')).toBeChecked();
  await expect(severity(page, 'Critical')).toHaveText('Critical2');
  await expect(severity(page, 'Low')).toHaveText('Low0');
  await expect(severity(page, 'Critical').locator('.ad-mark--critical')).toBeVisible();
  await severity(page, 'High').click();
  await expectTitles(page, ['Payment failed']);
  // The menu stays open, so that several are chosen.
  await severity(page, 'Critical').click();
  await expectTitles(page, ['Disk full too', 'Payment failed', 'Disk full']);
  await expect(page).toHaveURL('/?severity=critical&severity=high');
  await page.keyboard.press('Escape');
  await expect(filterButton(page, 'Severity')).toBeFocused();
  await expect(filterButton(page, 'Severity')).toHaveText('SeverityCritical, High');
  await expect(page.getByText('3 waiting for action')).toBeVisible();

  await page.reload();
  await expectTitles(page, ['Disk full too', 'Payment failed', 'Disk full']);
  await page.goto('/?severity=low');
  await expect(page.getByText('No low alerts.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(titles(page)).toHaveCount(4);
  await expect(page).toHaveURL('/');
});

test('severities are chosen by keyboard', async ({ app, openAs, mara }) => {
  await post(app, 'Disk full', 'critical');
  await post(app, 'Latency', 'warning');
  const page = await openAs(mara);
  await filterButton(page, 'Severity').focus();
  await page.keyboard.press('Enter');
  await expect(severity(page, 'All')).toBeFocused();
  await page.keyboard.press('w');
  await expect(severity(page, 'Warning')).toBeFocused();
  await page.keyboard.press('Space');
  await expect(severity(page, 'Warning')).toBeChecked();
  await expect(severity(page, 'Warning')).toBeFocused();
  await expectTitles(page, ['Latency']);
});

test('an alert whose severity changes enters, moves in and leaves lists by severity', async ({ app, openAs, mara }) => {
  await post(app, 'Disk full', 'warning');
  await post(app, 'Latency', 'critical');
  await post(app, 'Payment failed', 'high');
  const sorted = await openAs(mara, '/?sort=severity');
  const urgent = await openAs(mara, '/?severity=critical');
  await connected(sorted);
  await connected(urgent);
  await expect(filterButton(sorted, 'Sort')).toHaveText('SortSeverity');
  await expectTitles(sorted, ['Latency', 'Payment failed', 'Disk full']);
  await expectTitles(urgent, ['Latency']);

  await post(app, 'Payment failed', 'critical');
  await expectTitles(sorted, ['Payment failed', 'Latency', 'Disk full']);
  await expectTitles(urgent, ['Payment failed', 'Latency']);
  await expect(urgent.getByText('2 waiting for action')).toBeVisible();
  await post(app, 'Latency', 'info');
  await expectTitles(sorted, ['Payment failed', 'Disk full', 'Latency']);
  await expectTitles(urgent, ['Payment failed']);
  await expect(urgent.getByText('1 waiting for action')).toBeVisible();

  await chooseFilter(sorted, 'Sort', 'Newest');
  await expectTitles(sorted, ['Payment failed', 'Latency', 'Disk full']);
  await expect(sorted).toHaveURL('/');
});

test('a list is narrowed to a source, which comes on offer when it first sends', async ({ app, openAs, mara }) => {
  await post(app, 'Disk full', 'critical');
  const page = await openAs(mara);
  await connected(page);
  await expect(titles(page)).toHaveCount(1);
  await expect(filterButton(page, 'Source')).toHaveCount(0);
  const { key, id } = await makeSource(app, 'Shop backend');
  await send(app, key, report('Order failed', 'high'));
  await filterButton(page, 'Source').click();
  await expect(page.getByRole('menu', { name: 'Source' }).getByRole('menuitemradio')).toHaveText([
    'All',
    'End-to-end tests1',
    'Shop backend1',
  ]);
  await page.getByRole('menuitemradio', { name: 'Shop backend' }).click();
  await expectTitles(page, ['Order failed']);
  await expect(page).toHaveURL(`/?source=${id}`);
  await post(app, 'Latency', 'high');
  await send(app, key, report('Order failed again', 'low'));
  await expectTitles(page, ['Order failed again', 'Order failed']);
});

test('queues and all alerts are filtered and sorted by severity, too', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  for (const [title, level] of [
    ['Disk full', 'warning'],
    ['Latency', 'critical'],
    ['Version released', 'info'],
  ] as const)
    await queue.accept(report(title, level));
  const page = await openAs(mara, '/my-alerts');
  await page.getByRole('radiogroup', { name: 'Sort' }).getByRole('radio', { name: 'Severity' }).click();
  await expectTitles(page, ['Latency', 'Disk full', 'Version released']);
  await page.goto('/my-alerts?severity=info&severity=warning');
  await expectTitles(page, ['Version released', 'Disk full']);

  const all = await openAs(ADMINISTRATOR, '/admin/alerts');
  await chooseFilter(all, 'Sort', 'Severity');
  await expectTitles(all, ['Latency', 'Disk full', 'Version released']);
  await filterButton(all, 'Severity').click();
  await severity(all, 'Info').click();
  await all.keyboard.press('Escape');
  await expect(all.getByText('1 found')).toBeVisible();
  await expectTitles(all, ['Version released']);
  await all.getByPlaceholder('Search by customer, URL, or payload...').fill('latency');
  await expect(all.getByText('Try adjusting your filters')).toBeVisible();
  await all.getByRole('button', { name: 'Clear filters' }).click();
  await expect(titles(all)).toHaveCount(3);
  await expect(all).toHaveURL('/admin/alerts?sort=severity');
});

test('the severities of the filter are accessible in both themes', async ({ app, openAs, mara }) => {
  await post(app, 'Disk full', 'critical');
  await post(app, 'Latency', 'warning');
  const page = await openAs(mara, '/?severity=critical&sort=severity');
  await connected(page);
  await filterButton(page, 'Severity').click();
  await expect(severity(page, 'Critical')).toBeChecked();
  await expectAccessible(page);
  expect(await findingsInThemes(page)).toEqual([]);
});
