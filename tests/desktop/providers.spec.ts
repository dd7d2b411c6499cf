import { startIdentityProvider } from '#tests/support/identity-provider.ts';
import { arrive, providersFile } from '#tests/support/oidc-calls.ts';
import { freePortForLater } from '#tests/support/plain-proxy.ts';
import { startServerProcess } from '#tests/support/server-process.ts';
import { expect, test } from './support/fixtures.ts';

test.use({ isFirstStart: true });

test('a provider’s sign-in goes on in the system’s browser and comes back by a link; stray links do nothing', async ({
  browser,
  launch,
}) => {
  test.setTimeout(120_000);
  const port = await freePortForLater();
  const origin = `http://localhost:${port}`;
  const company = await startIdentityProvider([origin]);
  const provider = { at: company, createAccounts: true };
  const environment = { ...providersFile([provider], origin), PORT: `${port}` };
  const team = await startServerProcess({ script: 'scripts/start.ts', environment });
  try {
    const desktop = await launch();
    const page = await desktop.page();
    await page.getByLabel('Server address').fill(origin);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in with Example Corp' }).click({ timeout: 20_000 });
    await expect(page.getByText('Continue in your browser.')).toBeVisible();
    const [outside = ''] = await desktop.openedOutside();
    expect(outside).toMatch(new RegExp(`^${origin}/login/company#[\\w-]{43}$`));

    // An attacker has a code of their own sign-in, for a secret of their own.
    const attacker = await browser.newContext();
    arrive(company);
    const theirs = await attacker.newPage();
    await theirs.goto(`${origin}/login/company#${'x'.repeat(43)}`);
    const stray = (await theirs.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '';
    await desktop.startAgain(stray);
    await expect(page.getByText('Login failed')).toBeVisible();
    await expect(page.getByText('Continue in your browser.')).toBeVisible();
    await attacker.close();

    const systemBrowser = await browser.newContext();
    const subject = arrive(company);
    const there = await systemBrowser.newPage();
    await there.goto(outside);
    await expect(there.getByText(`desktop app on this computer as ${subject}@example.com?`)).toBeVisible();
    const link = (await there.getByRole('link', { name: 'Open the app' }).getAttribute('href')) ?? '';
    expect(link).toMatch(/^alertdesk:\/\/sign-in\/[\w-]{43}$/);
    expect(await systemBrowser.cookies()).not.toContainEqual(expect.objectContaining({ name: 'sid' }));
    await systemBrowser.close();
    await desktop.startAgain(link);
    await expect(page.getByText('All caught up!')).toBeVisible();
    await expect(page.getByRole('button', { name: `${subject}@example.com` })).toBeVisible();

    // Whoever is signed in stays so, whatever links say.
    await desktop.closeWindow();
    await desktop.startAgain(stray);
    await expect.poll(() => desktop.isVisible()).toBe(true);
    await page.reload();
    await expect(page.getByRole('button', { name: `${subject}@example.com` })).toBeVisible();
  } finally {
    await team.dispose();
    await company.stop();
  }
});
