import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, connected } from './support/screen.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('the Admin Panel shows how long alerts took to pages and to their screens', async ({ app, openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // A page begins to report once its first screen is complete.
  const reported = async () => {
    await app.post({ customer: 'Tidewater Rail' });
    const latency = (await (await app.admin.request('GET', '/api/latency')).json()) as { shown: { samples: number } };
    return latency.shown.samples;
  };
  await expect.poll(reported).toBeGreaterThan(0);
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'Admin Panel' }).click();
  const panel = page.getByRole('region', { name: 'From webhook to screen' });
  for (const name of [/^Sent to every open page/, /^Drawn on a screen/]) {
    await expect(panel.getByRole('row', { name }).getByRole('cell')).toHaveText([/\d m?s$/, /\d m?s$/, /\d m?s$/]);
  }

  const none = { samples: 0, medianMs: null, p95Ms: null, p99Ms: null };
  await page.route('**/api/latency', (route) =>
    route.fulfill({ json: { minutes: 5, servers: 2, delivered: none, shown: none } }),
  );
  await page.reload();
  await expect(panel).toContainText('No new alert reached an open page in the last 5 minutes.');
  await expect(panel).toContainText('on one of 2 servers');
});

test('while the key of the secrets is in the database the Admin Panel says so, and what to do', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin');
  const warning = page.getByRole('main').locator('.bp6-callout');
  // Beside the embedded database the key is a file of its own.
  await expect(page.getByRole('region', { name: 'From webhook to screen' })).toContainText('last 5 minutes');
  await expect(warning).toHaveCount(0);
  await page.route('**/api/latency', async (route) => {
    const latency = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...latency, isKeyInDatabase: true } });
  });
  await page.reload();
  await expect(warning).toContainText('The key of the secrets is in the database');
  await expect(warning).toContainText('npm run secrets-key -- rotate');
  await expectAccessible(page);
});

test('the Admin Panel is accessible in both themes', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR, '/admin');
  await expect(heading(page, 'Admin Panel')).toBeVisible();
  await expectAccessible(page);
});
