import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { expectAccessible, findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { choice, connected, goBy, navigation } from './support/screen.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The longest between an alert that the test posts and the last look at the day on which it came, in milliseconds. */
const LONGEST_LOOK_MS = 60_000;

/** Waits where a day of UTC, which pages are in, ends soon: what came today would be of yesterday by then. */
async function waitOutDay(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < LONGEST_LOOK_MS) await pause(left);
}

test('insight counts what arrived and how long it took; its charts are walked, read as tables and lead to lists', async ({
  app,
  mara,
  openAs,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  await waitOutDay();
  const [first = ''] = await Promise.all([
    app.post({ title: 'Disk full', customer: 'Nordlicht', severity: 'critical', type: 'disk' }),
    app.post({ title: 'Slow', customer: 'Nordlicht', severity: 'warning', type: 'latency' }),
    app.post({ title: 'Order', customer: 'Harbor & Finch' }),
  ]);
  await app.admin.request('POST', `/api/alerts/${first}/accept`);
  await app.admin.request('PATCH', `/api/webhooks/${first}/status`, { status: 'completed' });

  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  await goBy(page, 't');
  await expect(page.getByRole('heading', { name: 'Insight' })).toBeVisible();
  await expect(navigation(page, 'Insight')).toHaveAttribute('aria-current', 'page');

  // Earlier tests of this server left alerts behind, which have arrived, too.
  await page.getByRole('button', { name: /^Customer/ }).click();
  await choice(page, /^Nordlicht/).click();
  await expect(page).toHaveURL(/customer=Nordlicht/);
  await expect(page.locator('.insight__stat', { hasText: 'Arrived' })).toContainText('2');
  await expect(page.locator('.insight__stat', { hasText: 'Time to complete' })).toContainText(/\d s/);

  // One tab stop: arrows walk, what is walked to is announced, and Enter leads to the alerts.
  const days = page.getByRole('application', { name: 'Arrivals per day' });
  const announced = page.locator('.charts__chart', { has: days }).getByRole('status');
  await days.focus();
  await page.keyboard.press('End');
  await expect(announced).toHaveText(/: 2, Critical 1, High 0, Warning 1, Others 0$/);
  await page.keyboard.press('ArrowLeft');
  await expect(announced).toHaveText(/: 0, Critical 0/);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Time to accept as a table' })).toBeFocused();
  await page.keyboard.press('Enter');
  const table = page.getByRole('region', { name: 'Time to accept, table' }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(31);
  expect(await findings(page)).toEqual([]);
  await expect(table.getByRole('row').last().getByRole('cell').last()).toHaveText('1');
  const hours = page.getByRole('application', { name: 'Arrivals by weekday and hour' });
  await hours.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await expect(page.locator('.charts__chart', { has: hours }).getByRole('status')).toHaveText(
    /^Tuesday, 00:00 to 01:00/,
  );

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('dialog', { name: 'Export Insight' }).getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^alertdesk-insight-[\d-]+\.csv$/);
  expect(await readFile(await file.path(), 'utf8')).toMatch(/\ncustomer,Nordlicht,Nordlicht,2,/);
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('link', { name: 'Nordlicht' }).click();
  await expect(page).toHaveURL(/\/admin\/alerts\?search=customer/);
  await expect(page.getByText('2 found')).toBeVisible();

  // Days without alerts, and an answer that does not come.
  await page.goto('/insight?from=2001-01-01&to=2001-01-31&timeZone=Asia/Kolkata');
  await expect(page.getByText('Jan 1 – 31, 2001, Asia/Kolkata')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No alerts in these days' })).toBeVisible();
  await page.route('**/api/insight?*', (route) => route.fulfill({ status: 503, body: 'Not now.' }));
  await page.getByText('7 days').click();
  await expect(page.getByRole('heading', { name: 'Insight could not be loaded' })).toBeVisible();
  await page.unroute('**/api/insight?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Arrivals per day')).toBeVisible();

  // A member sees all alerts together, and of persons themselves.
  const maras = await openAs(mara, '/insight?customer=Nordlicht');
  await expect(maras.locator('.insight__stat', { hasText: 'Arrived' })).toContainText('2');
  await maras.getByText('Person', { exact: true }).last().click();
  await expect(maras.getByText('No one has accepted any of these.')).toBeVisible();

  // A search leads to the list that it is about.
  await maras.keyboard.press('/');
  await expect(maras.getByRole('combobox', { name: 'Search alerts' })).toBeFocused();
  await maras.keyboard.type('customer:Nordlicht late');
  await maras.keyboard.press('Enter');
  await expect(maras).toHaveURL(/\/\?search=customer%3ANordlicht\+late$/);
});
