import type { Locator, Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { findings, findingsInThemes } from './support/axe.ts';
import type { Person } from './support/accounts.ts';
import { expect, test } from './support/fixtures.ts';
import { accountButton, toast } from './support/screen.ts';

const dialog = (page: Page): Locator => page.getByRole('dialog');
const panel = (page: Page): Locator => page.getByRole('region', { name: 'Two-step sign-in and passkeys' });

/** What the app shows for this key, so many seconds from now. */
const codeOf = (key: string, inSeconds = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + inSeconds * 1000,
  });

async function typePassword(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

async function signOut(page: Page, person: Person): Promise<void> {
  await accountButton(page, person).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
}

/** Sets up an authenticator app in the dialog that is open. Returns its key and the recovery codes. */
async function setUpTotp(page: Page): Promise<{ key: string; codes: string[] }> {
  await expect(dialog(page).getByRole('img', { name: 'QR code' })).toBeVisible();
  const key = (await dialog(page).locator('code').textContent()) ?? '';
  await expect(dialog(page).getByLabel('Code')).toBeFocused();
  await dialog(page).getByLabel('Code').fill(codeOf(key));
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await expect(dialog(page).getByText('Save your recovery codes')).toBeVisible();
  const codes = await dialog(page).getByRole('listitem').allTextContents();
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeDisabled();
  return { key, codes };
}

async function keepCodes(page: Page): Promise<void> {
  await dialog(page).getByText('I have saved these codes').click();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(dialog(page)).toHaveCount(0);
}

test('a member sets up two steps and a passkey, and signs in with each', async ({ app, open, mara }) => {
  // Passkeys belong to a name.
  const page = await open('/login', { baseURL: app.url.origin.replace('127.0.0.1', 'localhost') });
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await typePassword(page, mara);
  await expect(page.getByText('All caught up!')).toBeVisible();

  await page.goto('/account');
  await panel(page).getByRole('button', { name: 'Set up' }).click();
  const { key, codes } = await setUpTotp(page);
  await keepCodes(page);
  await expect(panel(page)).toContainText('10 left, each works once');
  await panel(page).getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(page).getByLabel('Name').fill('Laptop');
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(page)).toHaveCount(0);
  await panel(page).getByRole('button', { name: 'Rename' }).click();
  await expect(dialog(page).getByLabel('Name')).toHaveValue('Laptop');
  await dialog(page).getByLabel('Name').fill('Work laptop');
  await dialog(page).getByRole('button', { name: 'Rename' }).click();
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'Work laptop' })).toContainText('never used');
  expect(await findings(page)).toEqual([]);

  await signOut(page, mara);
  await typePassword(page, mara);
  const code = page.getByLabel('Code from your authenticator app');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect(await findingsInThemes(page)).toEqual([]);
  // The one that set it up is used up.
  await code.fill(codeOf(key, -60));
  await page.getByText('Remember this browser for 30 days').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(toast(page)).toContainText('This code is wrong, or it was used before.');
  await code.fill(codeOf(key, 30));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('All caught up!')).toBeVisible();

  await signOut(page, mara);
  await typePassword(page, mara);
  await expect(page.getByText('All caught up!')).toBeVisible();
  await page.goto('/account');
  await panel(page).getByRole('button', { name: 'Forget' }).click();
  await expect(panel(page).getByText('Remembered browsers')).toHaveCount(0);

  await signOut(page, mara);
  await typePassword(page, mara);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill((codes[0] ?? '').toUpperCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('All caught up!')).toBeVisible();

  await signOut(page, mara);
  await typePassword(page, mara);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('All caught up!')).toBeVisible();

  await signOut(page, mara);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByText('All caught up!')).toBeVisible();
  await page.goto('/account');
  await expect(panel(page)).toContainText('9 left, each works once');
  await expect(panel(page).getByRole('listitem').filter({ hasText: 'Work laptop' })).not.toContainText('never used');
});

test('an administrator requires a second step, which is set up at the next visit or sign-in, and resets one', async ({
  app,
  open,
  openAs,
  mara,
}) => {
  const admin = await openAs(await app.addMember('Vera Okonkwo', 'admin'), '/admin/users');
  try {
    await admin.getByLabel('Two-step sign-in is required for').selectOption('Everyone');
    await expect(toast(admin)).toContainText('Two-step sign-in updated');
    // It is for who requires it, too, in the session that is there.
    await admin.reload();
    await expect(admin.getByRole('heading', { name: 'Set up a second step' })).toBeVisible();
    await admin.getByRole('button', { name: 'Use an authenticator app' }).click();
    await setUpTotp(admin);
    await keepCodes(admin);
    await expect(admin.getByLabel('Two-step sign-in is required for')).toHaveValue('everybody');

    const page = await open('/login');
    await typePassword(page, mara);
    await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible();
    await page.goto('/my-alerts');
    await expect(page.getByRole('heading', { name: 'Set up a second step' })).toBeVisible();
    expect(await findingsInThemes(page)).toEqual([]);
    // This page was opened by an IP address.
    await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeDisabled();
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    await setUpTotp(page);
    await keepCodes(page);
    await expect(page.getByText('No alerts yet')).toBeVisible();
    await page.goto('/account');
    await expect(panel(page).getByRole('button', { name: 'Replace' })).toBeVisible();
    await expect(panel(page).getByRole('button', { name: 'Remove' })).toHaveCount(0);

    await admin.reload();
    const row = admin.getByRole('listitem').filter({ hasText: mara.email });
    await expect(row).toContainText('Two-step');
    await row.getByRole('button', { name: 'Reset two-step' }).click();
    await dialog(admin).getByRole('button', { name: 'Reset two-step sign-in' }).click();
    await expect(row.getByRole('button', { name: 'Reset two-step' })).toHaveCount(0);
    await expect(page).toHaveURL('/login');
  } finally {
    await app.requireNothing();
  }
});
