import { type IdentityProvider, startIdentityProvider } from '#tests/support/identity-provider.ts';
import { arrive, providersFile } from '#tests/support/oidc-calls.ts';
import { freePortForLater } from '#tests/support/plain-proxy.ts';
import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, test as base, expect } from './support/fixtures.ts';
import { accountButton, toast } from './support/screen.ts';

interface Worlds {
  place: { port: number; company: IdentityProvider };
}

const test = base.extend<object, Worlds>({
  place: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
    async ({}, use) => {
      const port = await freePortForLater();
      const company = await startIdentityProvider([`http://127.0.0.1:${port}`]);
      await use({ port, company });
      await company.stop();
    },
    { scope: 'worker' },
  ],
  environment: [
    async ({ place: { port, company } }, use) => {
      const provider = { at: company, createAccounts: true, signOut: true };
      await use({ ...providersFile([provider], `http://127.0.0.1:${port}`), PORT: `${port}` });
    },
    { scope: 'worker' },
  ],
});

// Each worker would start a browser, a server and a provider for them.
test.describe.configure({ mode: 'default' });

test('a member signs in with a provider, comes to the page that they asked for, and signs out there, too', async ({
  open,
  place: { company },
}) => {
  test.slow();
  const subject = arrive(company);
  company.signsInAs = undefined;
  const page = await open('/my-alerts?q=disk');
  const button = page.getByRole('button', { name: 'Sign in with Example Corp' });
  await expect(button).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await button.click();
  await page.getByRole('button', { name: subject }).click();
  await expect(toast(page).filter({ hasText: 'Login successful' })).toBeVisible();
  await expect(page).toHaveURL(/\/my-alerts\?q=disk$/);

  await accountButton(page, { email: `${subject}@example.com` }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(new RegExp(`^${company.issuer}/session/end`));
});

test('a sign-in that the provider refuses, or that it is not there for, says why; passwords go on', async ({
  open,
  place: { company },
}) => {
  const subject = arrive(company);
  company.signsInAs = undefined;
  const page = await open('/login');
  const button = page.getByRole('button', { name: 'Sign in with Example Corp' });
  await button.click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Example Corp did not let you in, or you canceled the sign-in there.',
  );
  await expect(page).toHaveURL(/\/login\/company\/callback$/);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'Other ways to sign in' }).click();
  // The browser is at the provider when that goes away.
  await button.click();
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  await page.route('**/api/auth/oidc/company/callback', async (route) => {
    company.failsWith = 503;
    await route.continue();
  });
  await page.getByRole('button', { name: subject }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'Example Corp cannot be reached. Try again, or sign in another way.',
  );
  company.failsWith = undefined;
  await page.getByRole('link', { name: 'Other ways to sign in' }).click();
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
});

test('a member links a provider in My account, and unlinks it', async ({ openAs, place: { company } }) => {
  arrive(company);
  const page = await openAs(ADMINISTRATOR, '/account');
  const row = page.getByRole('list', { name: 'Providers' }).getByRole('listitem', { name: 'Example Corp' });
  await row.getByRole('button', { name: 'Link', exact: true }).click();
  await expect(toast(page).filter({ hasText: 'Example Corp is linked to your account' })).toBeVisible();
  await expect(row).toContainText('linked');
  await expectAccessible(page);
  await row.getByRole('button', { name: 'Unlink' }).click();
  const question = page.getByRole('dialog', { name: 'Unlink Example Corp?' });
  await expect(question).toContainText('It is the only provider that you sign in with.');
  await question.getByRole('button', { name: 'Unlink' }).click();
  await expect(toast(page).filter({ hasText: 'Example Corp unlinked' })).toBeVisible();
  await expect(row).toContainText('Not linked');
});

test('a member without a password proves who they are in another tab, or where none opens at the provider itself, and what they typed is there', async ({
  app,
  open,
  place: { company },
}) => {
  test.slow();
  const subject = arrive(company);
  company.signsInAs = subject;
  const page = await open('/account');
  await page.getByRole('button', { name: 'Sign in with Example Corp' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await page.getByRole('button', { name: 'New Token' }).click();
  const form = page.getByRole('dialog', { name: 'New API Token' });
  await form.getByLabel('Name').fill('Nightly script');
  await app.forgetProofs({ email: `${subject}@example.com`, displayName: subject, password: '' });
  await form.getByRole('button', { name: 'Create Token' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm your identity' });
  company.signsInAs = undefined;
  const opened = page.waitForEvent('popup');
  await proof.getByRole('button', { name: 'Sign in with Example Corp again instead' }).click();
  const tab = await opened;
  await expect(proof.getByRole('status')).toHaveText(
    'Sign in on the tab that was opened. This page then continues automatically.',
  );
  expect(await findingsInThemes(page)).toEqual([]);
  await tab.getByRole('button', { name: subject }).click();
  await expect(proof).toHaveCount(0);
  // The call that waited was made, with what was typed.
  await expect(page.getByRole('list', { name: 'API tokens' })).toContainText('Nightly script');
  await expect.poll(() => tab.isClosed()).toBe(true);
  await expect(page).toHaveURL(/\/account$/);

  // Where the browser opens no tab, the page goes to the provider itself and comes back.
  company.signsInAs = subject;
  await page.goto('/account');
  await page.evaluate(() => {
    window.open = () => null;
  });
  await page.getByRole('button', { name: 'New Token' }).click();
  await form.getByLabel('Name').fill('Weekly script');
  await app.forgetProofs({ email: `${subject}@example.com`, displayName: subject, password: '' });
  await form.getByRole('button', { name: 'Create Token' }).click();
  await proof.getByRole('button', { name: 'Sign in with Example Corp again instead' }).click();
  await expect(toast(page).filter({ hasText: 'Identity confirmed' })).toBeVisible();
  await expect(page).toHaveURL(/\/account$/);
  await page.getByRole('button', { name: 'New Token' }).click();
  await form.getByLabel('Name').fill('Weekly script');
  await form.getByRole('button', { name: 'Create Token' }).click();
  await expect(page.getByRole('dialog', { name: 'Token Created' })).toBeVisible();
});
