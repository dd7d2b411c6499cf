import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, connected } from './support/screen.ts';

test('the Admin Panel shows how long alerts took to pages and to their screens, and says while the key of the secrets is in the database', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  // A page begins to report once its first screen is complete.
  const reported = async () => {
    await app.post({ customer: 'Tidewater Rail' });
    const latency = (await (await app.admin.request('GET', '/api/latency')).json()) as { shown: { samples: number } };
    return latency.shown.samples;
  };
  await expect.poll(reported, { timeout: 60_000 }).toBeGreaterThan(0);
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: 'Admin Panel' }).click();
  const panel = page.getByRole('region', { name: 'From webhook to screen' });
  for (const name of [/^Sent to every open page/, /^Shown on a screen/]) {
    await expect(panel.getByRole('row', { name }).getByRole('cell')).toHaveText([/\d m?s$/, /\d m?s$/, /\d m?s$/]);
  }

  const warning = page.getByRole('main').locator('.bp6-callout');
  // Beside the embedded database the key is a file of its own.
  await expect(panel).toContainText('last 5 minutes');
  await expect(warning).toHaveCount(0);
  await page.route('**/api/latency', async (route) => {
    const latency = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...latency, isKeyInDatabase: true } });
  });
  await page.reload();
  await expect(warning).toContainText('The encryption key is stored in the database');
  await expect(warning).toContainText('npm run secrets-key -- rotate');
  await expectAccessible(page);
});
