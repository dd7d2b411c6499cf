import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, toast } from './support/screen.ts';

const run = promisify(execFile);

test('the page shows the address, the header and the payload', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  const main = page.getByRole('main');
  await expect(main.getByText(`${app.url.origin}/webhook`, { exact: true })).toBeVisible();
  await expect(main).toContainText('POST URL');
  await expect(main).toContainText('Required header');
  await expect(main).toContainText('The header X-Webhook-Auth carries an API key.');
  await expect(main).toContainText('Any JSON.');
  await expect(main).toContainText('The customer is extracted from the field customer, Customer or customerName.');
  await main.getByRole('link', { name: 'Make one under API Keys' }).click();
  await expect(page).toHaveURL('/admin/api-keys');
});

test('the address is copied, which the button shows for two seconds', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  await connected(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copy = page.getByRole('button', { name: 'Copy URL' });
  const tick = copy.locator('[data-icon="tick"]');
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await copy.click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  await expect(tick).toHaveCount(1);
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${app.url.origin}/webhook`);
  await page.clock.runFor(1999);
  await expect(tick).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(tick).toHaveCount(0);
});

test('where copying fails, a toast says to do it by hand', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
  await page.getByRole('button', { name: 'Copy URL' }).click();
  await expect(toast(page)).toContainText('Failed to copy');
  await expect(toast(page)).toContainText('Please copy manually');
});

test('the curl command works as it is pasted, with a key in it', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy curl command' }).click();
  const command = await page.evaluate<string>('navigator.clipboard.readText()');
  const { stdout } = await run('sh', ['-c', command.replace('YOUR_API_KEY', app.apiKey)]);
  expect(stdout).toContain('202 Accepted');
  await page.goto('/');
  await expect(card(page, 'Harbor & Finch')).toBeVisible();
});

test('a test alert takes the whole path, and the page sees it arrive', async ({ openAs, mara }) => {
  const [page, theirs] = [await openAs(ADMINISTRATOR, '/admin/webhook'), await openAs(mara)];
  await Promise.all([connected(page), connected(theirs)]);
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText(/^Arrived in New Alerts after \d+ ms\.$/)).toBeVisible();
  await expect(toast(page)).toContainText('Alert from Test alert');
  await expect(card(theirs, 'Test alert')).toContainText('Sent from the Webhook Endpoint page');
  await page.getByRole('main').getByRole('link', { name: 'New Alerts' }).click();
  await expect(page).toHaveURL('/');
  await expect(card(page, 'Test alert')).toBeVisible();
});

test('a test alert that is not taken, or does not arrive, is reported', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  await connected(page);
  await page.route('**/api/webhook/test', (route) => route.fulfill({ status: 503, body: 'The database is away.' }));
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText('The test alert was not taken. 503: The database is away.')).toBeVisible();

  await page.unroute('**/api/webhook/test');
  await page.route('**/api/webhook/test', (route) =>
    route.fulfill({ status: 202, json: { id: 'unheard-of', receivedAt: '2026-11-21T09:42:00.000Z' } }),
  );
  await page.clock.install();
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText('Stored. Waiting for it in New Alerts…')).toBeVisible();
  await page.clock.runFor(5000);
  await expect(page.getByText('It is stored, but this screen has not received it.')).toBeVisible();
});

test('Webhook Endpoint is accessible in both themes', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin/webhook');
  await connected(page);
  await page.getByRole('button', { name: 'Send test alert' }).click();
  await expect(page.getByText(/^Arrived in/)).toBeVisible();
  await toast(page).getByRole('button', { name: 'Close' }).click();
  await expectAccessible(page);
});
