import { sourceListSchema } from '#backend/contract/source.ts';
import { type AppServer, startAppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';

// A server of its own: nothing ever arrived at it.
let fresh: AppServer;
test.beforeEach(async () => {
  fresh = await startAppServer();
});
test.afterEach(() => fresh.dispose());

test('an administrator connects the first sender from the empty inbox', async ({ openAs }) => {
  for (const { id } of sourceListSchema.parse(await (await fresh.admin.request('GET', '/api/sources')).json()))
    await fresh.admin.request('DELETE', `/api/sources/${id}`);
  const page = await openAs(ADMINISTRATOR, '/', { app: fresh, permissions: ['clipboard-read', 'clipboard-write'] });
  await expect(page.getByRole('heading', { name: 'All caught up!' })).toBeVisible();
  await page.getByRole('textbox', { name: 'Name of the source' }).fill('Production monitoring');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waiting for your first alert…')).toBeVisible();

  // Leaving without the secret asks.
  await page.getByRole('link', { name: 'My Alerts' }).click();
  await expect(page.getByRole('dialog')).toContainText('Leave without the secret?');
  await page.keyboard.press('Escape');

  await page.getByRole('radio', { name: 'curl' }).click();
  await page.getByRole('button', { name: 'Copy curl' }).click();
  const snippet = await page.evaluate(() => navigator.clipboard.readText());
  const key = /X-Webhook-Auth: (\S+?)'/.exec(snippet)?.[1] ?? '';

  // The choice is remembered; the secret is not.
  await page.reload();
  await expect(page.getByRole('radio', { name: 'curl' })).toBeChecked();
  await expect(page.getByText('The secret was shown when it was made.')).toBeVisible();
  await expect(page.getByText(key)).toHaveCount(0);

  // The snippet's request, with its key.
  const answer = await fetch(new URL('/webhook', fresh.url), {
    method: 'POST',
    headers: { 'x-webhook-auth': key, 'content-type': 'application/json' },
    body: '{"title":"Card issuer declined","customer":"Harbor & Finch","severity":"high"}',
  });
  expect(answer.status).toBe(202);
  const arrived = page.getByRole('region', { name: 'First alert' });
  await expect(arrived.getByRole('status')).toContainText(
    /^Your first alert arrived after \d.* m?s Production monitoring/,
  );
  await expect(page.getByRole('link', { name: 'Card issuer declined' })).toBeVisible();

  // It stays until it is closed, then never returns.
  await page.reload();
  await expect(arrived).toContainText('Your first alert arrived');
  await arrived.getByRole('button', { name: 'Create User' }).click();
  await expect(page.getByRole('dialog', { name: 'Create User' })).toBeVisible();
  await page.goBack();
  await arrived.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Card issuer declined' })).toBeVisible();
  await expect(arrived).toHaveCount(0);
});
