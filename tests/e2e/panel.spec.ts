import type { Page } from '@playwright/test';
import type { AppServer } from './support/app-server.ts';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, toast } from './support/screen.ts';

const panel = (page: Page) => page.getByRole('complementary', { name: 'Alert details' });
const heading = (page: Page, title: string) => panel(page).getByRole('heading', { name: title });
const row = (page: Page, title: string) => page.locator('article[data-alert-id]', { hasText: title });

/** With numbers that parsing would change. */
const PAYLOAD = '{"title":"TITLE","customer":"Nordwind","host":"db-7","exact":820982911946154508123,"a":1.50,"b":2}';

/** Posts an alert as this text. */
async function postText(app: AppServer, body: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-webhook-auth': app.apiKey };
  const response = await fetch(new URL('/webhook', app.url), { method: 'POST', headers, body });
  expect(response.status).toBe(202);
}

test('an alert opens beside its list, and its neighbours by key, until Escape gives the focus back to its row', async ({
  app,
  openAs,
  mara,
}) => {
  for (const title of ['Third', 'Second', 'First']) await postText(app, PAYLOAD.replace('TITLE', title));
  const page = await openAs(mara, '/', { viewport: { width: 1440, height: 900 } });
  await connected(page);
  await row(page, 'First').focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'First')).toBeFocused();
  await expect(page).toHaveURL(/\/alert\/[\da-f-]{36}$/);
  await expect(panel(page)).toContainText('1 of 3');
  await expect(row(page, 'First')).toHaveAttribute('aria-current', 'true');

  await page.keyboard.press('j');
  await expect(heading(page, 'Second')).toBeFocused();
  await page.keyboard.press('k');
  await expect(heading(page, 'First')).toBeFocused();
  await row(page, 'Second').getByRole('link', { name: 'Second' }).click();
  await expect(heading(page, 'Second')).toBeFocused();

  await panel(page).getByPlaceholder('Find in fields').fill('DB-');
  await expect(panel(page).locator('mark')).toHaveText('db-');
  await panel(page).getByRole('tab', { name: 'Raw JSON' }).click();
  await expect(panel(page).getByRole('region', { name: 'Payload' })).toContainText('"exact": 820982911946154508123');
  await expect(panel(page).getByRole('region', { name: 'Payload' })).toContainText('"a": 1.50');
  expect(await findingsInThemes(page)).toEqual([]);

  await heading(page, 'Second').focus();
  await page.keyboard.press('a');
  await expect(toast(page)).toContainText('Alert accepted');
  await expect(panel(page).getByRole('radio', { name: 'Accepted' })).toBeChecked();
  await page.keyboard.press('j');
  await expect(heading(page, 'Third')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(row(page, 'Third')).toBeFocused();
  await expect(page).toHaveURL('/');
});

test('C begins a note on the focused alert, its fields are copied together; on a phone the notes are a tab, and its address is a page of its own', async ({
  app,
  openAs,
  mara,
}) => {
  const id = await app.post({ title: 'Disk almost full', customer: 'Nordwind', host: 'db-7', path: '/var' });
  const page = await openAs(mara, '/', { permissions: ['clipboard-read', 'clipboard-write'] });
  await connected(page);
  await expect(page).toHaveTitle('(1) Alertdesk');
  await row(page, 'Disk almost full').focus();
  await page.keyboard.press('c');
  const note = panel(page).getByRole('textbox', { name: 'Add a note' });
  await expect(note).toBeFocused();
  await expect(page).toHaveTitle('(1) Disk almost full, Alertdesk');
  await page.keyboard.type('c, and c again');
  await expect(note).toHaveValue('c, and c again');
  await heading(page, 'Disk almost full').focus();
  await page.keyboard.press('s');
  await expect(page.getByRole('menuitem', { name: '1 hour' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await heading(page, 'Disk almost full').focus();
  await page.keyboard.press('c');
  await expect(note).toBeFocused();
  await note.press('Control+Enter');
  await expect(panel(page).getByRole('listitem').first()).toContainText('c, and c again');
  await panel(page).getByRole('button', { name: 'Copy all fields' }).click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied.split('\n').toSorted()).toEqual([
    'customer: Nordwind',
    'host: db-7',
    'path: /var',
    'title: Disk almost full',
  ]);

  await page.setViewportSize({ width: 360, height: 740 });
  await panel(page).getByRole('tab', { name: 'Notes and history 2' }).click();
  await expect(panel(page).getByRole('listitem')).toHaveCount(2);
  await expect(panel(page).getByRole('textbox', { name: 'Find in fields' })).toHaveCount(0);
  expect(await findingsInThemes(page)).toEqual([]);
  await panel(page).getByRole('button', { name: 'Back to the list' }).click();
  await expect(page).toHaveTitle('(1) Alertdesk');

  await card(page, 'Disk almost full').getByRole('link').click();
  await expect(panel(page)).toHaveCSS('position', 'fixed');
  await panel(page).getByRole('button', { name: 'Back to the list' }).click();
  await expect(panel(page)).toHaveCount(0);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/alert/${id}`);
  await expect(page.getByRole('heading', { name: 'Disk almost full' })).toBeVisible();
  await expect(page.getByText('Received', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.goto('/alert/01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80');
  await expect(page.getByText('Alert not found')).toBeVisible();
});

test('on a phone Tab reaches nothing that the open alert covers, and Escape gives the focus back to its row', async ({
  app,
  openAs,
  mara,
}) => {
  for (const title of ['Covered', 'Disk almost full']) await app.post({ title, customer: 'Nordwind' });
  const page = await openAs(mara, '/', { viewport: { width: 360, height: 740 } });
  await connected(page);
  await card(page, 'Disk almost full').getByRole('link').click();
  await expect(panel(page).getByRole('heading', { name: 'Disk almost full' })).toBeFocused();
  await expect(page.getByRole('main')).toHaveCount(0);
  const reached: string[] = [];
  for (const key of ['Tab', 'Shift+Tab'])
    for (let times = 0; times < 40; times += 1) {
      await page.keyboard.press(key);
      reached.push(
        await page.evaluate<string>(`(() => {
          const { activeElement } = document;
          const isInside = activeElement === document.body || activeElement.closest('.alert-panel__alertPanel') !== null;
          return isInside ? '' : activeElement.outerHTML;
        })()`),
      );
    }
  expect([...new Set(reached)].filter((html) => html !== '')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await expect(page.getByRole('article').filter({ hasText: 'Disk almost full' })).toBeFocused();
});

test('an alert that a colleague takes while it is being opened says who took it', async ({ app, openAs, mara }) => {
  const id = await app.post({ title: 'Taken', customer: 'Nordwind' });
  const page = await openAs(mara);
  await connected(page);
  const released = Promise.withResolvers<undefined>();
  await page.route(/\/alert\..*\.js$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await row(page, 'Taken').getByRole('link').click();
  const other = await queueOf(app, ADMINISTRATOR);
  await other.client.request('POST', `/api/alerts/${id}/accept`);
  await expect(page).toHaveTitle('Alertdesk');
  released.resolve(undefined);
  await expect(panel(page).getByText(/^(Accepted by Administrator\.|Administrator accepted it\.)/)).toBeVisible();
});
