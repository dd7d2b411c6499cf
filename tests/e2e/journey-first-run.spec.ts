import type { Page } from '@playwright/test';
import { SETUP_TOKEN_SECRET } from '#backend/identity/users/first-admin.ts';
import { setupPath } from '#backend/contract/session.ts';
import { createFileSecretStore } from '#backend/platform/secrets/secret-store.ts';
import { ADMIN, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts';
import { expect, test } from './support/fixtures.ts';
import { accountButton, card, connected, navigation } from './support/screen.ts';

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];
const COLLEAGUE = { email: 'mara@example.org', displayName: 'Mara Lindqvist', password: 'tea at four' };

// A server of its own: nobody was ever there, and nothing ever arrived.
let fresh: ServerProcess;
test.beforeEach(async () => {
  fresh = await startServerProcess({ script: 'scripts/start.ts', environment: { ADMIN_PASSWORD: '' } });
});
test.afterEach(() => fresh.dispose());

const main = (page: Page) => page.getByRole('main');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const copied = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('one first run: from the address that the first start printed to the first alert, seen by the administrator and a colleague', async ({
  open,
}) => {
  const token = (await createFileSecretStore(fresh.dataDir).get(SETUP_TOKEN_SECRET)) ?? '';
  const page = await open(setupPath(token), { app: fresh, permissions: CLIPBOARD });
  const theirs = await open('/login', { app: fresh });
  const arrived = page.getByRole('region', { name: 'First alert' });
  let key = '';

  await test.step('the sign-in page shows the first password here, and nowhere else', async () => {
    const first = page.getByRole('region', { name: 'Default administrator' });
    await expect(first).toContainText(ADMIN.email);
    await first.getByRole('button', { name: 'Copy password' }).click();
    await expect(theirs.getByText('First time here? The server printed')).toBeVisible();
    await signIn(page, ADMIN.email, await copied(page));
    await expect(page.getByRole('heading', { name: 'All caught up!' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Source name' })).toBeVisible();
  });

  await test.step('the administrator makes an account for a colleague', async () => {
    await accountButton(page, ADMIN).click();
    await page.getByRole('menuitem', { name: /^Admin Panel/ }).click();
    await main(page).getByRole('link', { name: 'User Management' }).click();
    await page.getByRole('button', { name: 'Create User' }).click();
    const form = dialog(page, 'Create User');
    await form.getByLabel('Email', { exact: true }).fill(COLLEAGUE.email);
    await form.getByLabel('Display Name').fill(COLLEAGUE.displayName);
    await form.getByLabel('Password', { exact: true }).fill(COLLEAGUE.password);
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect(page.getByText('2 total users')).toBeVisible();
    await expect(form).toHaveCount(0);
  });

  await test.step('the colleague learns whom to ask, and empty lists do not point at each other', async () => {
    await signIn(theirs, COLLEAGUE.email, COLLEAGUE.password);
    await expect(main(theirs).getByText('Administrator', { exact: true })).toBeVisible();
    await expect(main(theirs).getByRole('button', { name: 'My Alerts' })).toHaveCount(0);
    await navigation(theirs, 'My Alerts').click();
    await expect(theirs.getByText('No alerts yet')).toBeVisible();
    await expect(main(theirs).getByRole('button', { name: 'New Alerts' })).toHaveCount(0);
    await navigation(theirs, 'New Alerts').click();
    await connected(theirs);
  });

  await test.step('the administrator makes the first source and copies its set-up', async () => {
    await navigation(page, 'New Alerts').click();
    await page.getByRole('textbox', { name: 'Source name' }).fill('Production monitoring');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Waiting for your first alert…')).toBeVisible();
    // Leaving without the secret asks.
    await navigation(page, 'My Alerts').click();
    await expect(page.getByRole('dialog')).toContainText('Leave without copying the credential?');
    await page.keyboard.press('Escape');
    await page.getByRole('radio', { name: 'curl' }).click();
    await page.getByRole('button', { name: 'Copy curl' }).click();
    key = /X-Webhook-Auth: (\S+?)'/.exec(await copied(page))?.[1] ?? '';
    // The choice is remembered; the secret is not.
    await page.reload();
    await expect(page.getByRole('radio', { name: 'curl' })).toBeChecked();
    await expect(page.getByText('The credentials were only shown when the source was created.')).toBeVisible();
    await expect(page.getByText(key)).toHaveCount(0);
  });

  await test.step('the first alert arrives in front of both', async () => {
    const answer = await fetch(new URL('/webhook', fresh.url), {
      method: 'POST',
      headers: { 'x-webhook-auth': key, 'content-type': 'application/json' },
      body: '{"title":"Card issuer declined","customer":"Harbor & Finch","severity":"high"}',
    });
    expect(answer.status).toBe(202);
    await expect(arrived.getByRole('status')).toContainText(
      /^Your first alert arrived after \d.* m?s Production monitoring/,
    );
    await expect(page.getByRole('link', { name: 'Card issuer declined' })).toBeVisible();
    await expect(card(theirs, 'Harbor & Finch')).toContainText('Card issuer declined');
    await expect(theirs.getByRole('button', { name: 'Write to Administrator' })).toHaveCount(0);
  });

  await test.step('what can be done next stays until it is closed, then never returns', async () => {
    await page.reload();
    await expect(arrived).toContainText('Your first alert arrived');
    await arrived.getByRole('button', { name: 'Invite' }).click();
    await expect(dialog(page, 'Invite')).toBeVisible();
    await page.goBack();
    await arrived.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await expect(page.getByRole('link', { name: 'Card issuer declined' })).toBeVisible();
    await expect(arrived).toHaveCount(0);
  });

  await test.step('the colleague accepts it, and the administrator sees it go', async () => {
    await card(theirs, 'Harbor & Finch').getByRole('button', { name: 'Accept' }).click();
    await expect(page.getByRole('link', { name: 'Card issuer declined' })).toHaveCount(0);
    await navigation(theirs, 'My Alerts').click();
    await expect(card(theirs, 'Harbor & Finch').getByRole('radio', { name: 'Accepted' })).toBeChecked();
  });
});
