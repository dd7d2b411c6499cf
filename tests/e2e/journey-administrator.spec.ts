import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { PRODUCT_BUILD_DATE } from '#backend/contract/product.ts';
import type { AppServer } from './support/app-server.ts';
import { expectAccessibleInPassing, findings, findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { accountButton, card, connected, navigation, toast } from './support/screen.ts';
import { clearSources, send } from './support/sources.ts';

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const main = (page: Page) => page.getByRole('main');
const userRow = (page: Page, email: string) =>
  page.getByRole('list', { name: 'Users' }).getByRole('listitem').filter({ hasText: email });

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** Part of a name that no column is made for. */
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';

/** Goes to a page of the Admin Panel as a person does. */
async function openAdminPage(page: Page, name: string): Promise<void> {
  await accountButton(page, ADMINISTRATOR).click();
  await page.getByRole('menuitem', { name: /^Admin Panel/ }).click();
  await main(page).getByRole('link', { name }).click();
  await expect(heading(page, name)).toBeVisible();
}

/** The status with which the webhook answers a post with this key. */
async function post(app: AppServer, key: string): Promise<number> {
  return (await send(app, key, { title: 'Posted by key', customer: 'Atlas' })).status;
}

test("one administrator's hour: accounts, keys, a source and its deliveries, the endpoint, the audit trail, settings", async ({
  app,
  open,
  openAs,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  await clearSources(app);
  await app.addMember(`شركة الشرق للتأمين والخدمات المالية الدولية المحدودة 🚨 of the ${LONG}`, 'super_user');
  await app.admin.createApiKey(`${LONG} ${uuidv7().slice(-8)}`);
  const [email, keyName] = [`${uuidv7()}@example.org`, `Night shift ${uuidv7()}`];
  const theirs = await open('/login');
  const page = await openAs(ADMINISTRATOR);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await connected(page);

  await test.step('an account is made, and its member signs in', async () => {
    await openAdminPage(page, 'User Management');
    await page.getByRole('button', { name: 'Create User' }).click();
    const form = dialog(page, 'Create User');
    await expect(form.getByLabel('Email', { exact: true })).toBeFocused();
    expect(await findingsInThemes(page)).toEqual([]);
    await form.getByLabel('Email', { exact: true }).fill(email);
    await form.getByLabel('Display Name').fill('Priya Raman');
    await form.getByLabel('Password', { exact: true }).fill('tea at four');
    await expect(form.getByLabel('Role')).toHaveValue('user');
    await form.getByRole('button', { name: 'Create User' }).click();
    await expect(toast(page)).toContainText('User created');
    for (const text of ['Priya Raman', 'User', 'Active']) await expect(userRow(page, email)).toContainText(text);
    await toast(page).getByRole('button', { name: 'Close' }).click();
    await expectAccessibleInPassing(page);
    await signIn(theirs, email, 'tea at four');
    await connected(theirs);
    await accountButton(theirs, { email }).click();
    await expect(theirs.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
    await expect(theirs.getByRole('menuitem', { name: /^Admin Panel/ })).toHaveCount(0);
    await theirs.keyboard.press('Escape');
  });

  await test.step('another role ends the session; with it the member sees the Admin Panel', async () => {
    await userRow(page, email).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Admin');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(userRow(page, email)).toContainText('Admin');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // Another role ends what is open.
    await expect(theirs).toHaveURL('/login');
    await signIn(theirs, email, 'tea at four');
    await accountButton(theirs, { email }).click();
    await theirs.getByRole('menuitem', { name: /^Admin Panel/ }).click();
    await expect(heading(theirs, 'Admin Panel')).toBeVisible();
  });

  await test.step('a new password ends the session, and the old one is good no more', async () => {
    await userRow(page, email).getByRole('button', { name: 'Reset Password' }).click();
    const form = dialog(page, 'Reset Password');
    await form.getByLabel('New Password', { exact: true }).fill('coffee at five');
    await app.forgetProofs(ADMINISTRATOR);
    await form.getByRole('button', { name: 'Reset Password' }).click();
    const proof = dialog(page, 'Confirm your identity');
    await expect(proof.getByLabel('Password')).toBeFocused();
    expect(await findingsInThemes(page)).toEqual([]);
    await page.keyboard.type(ADMINISTRATOR.password);
    await page.keyboard.press('Enter');
    await expect(toast(page)).toContainText('Password reset');
    await expect(theirs).toHaveURL('/login');
    await signIn(theirs, email, 'tea at four');
    await expect(theirs.getByText('Invalid email or password')).toBeVisible();
    await signIn(theirs, email, 'coffee at five');
    await connected(theirs);
  });

  await test.step('a disabled member is signed out at once and cannot come back', async () => {
    await userRow(page, email).getByRole('button', { name: 'Disable' }).click();
    await expect(userRow(page, email)).toContainText('Disabled');
    await expect(theirs).toHaveURL('/login');
    await signIn(theirs, email, 'coffee at five');
    await expect(theirs.getByText('Invalid email or password')).toBeVisible();
    await userRow(page, email).getByRole('button', { name: 'Enable' }).click();
    await expect(userRow(page, email)).toContainText('Active');
    // With the key that its button shows.
    await toast(page).hover();
    await expect(toast(page).getByRole('button', { name: 'Undo' })).toContainText('Z');
    expect(await findings(page)).toEqual([]);
    await toast(page).getByRole('button', { name: 'Close' }).click();
  });

  await test.step('a key is shown once, works, and is refused once it is deleted', async () => {
    await openAdminPage(page, 'API Keys');
    await expectAccessibleInPassing(page);
    await page.getByRole('button', { name: 'New Key' }).click();
    await dialog(page, 'New API Key').getByLabel('Name').fill(keyName);
    await dialog(page, 'New API Key').getByRole('button', { name: 'Create Key' }).click();
    const made = dialog(page, 'API Key Created');
    await expect(made).toContainText("Save this key somewhere safe. You won't be able to see it again.");
    const key = (await made.getByText(/^ad_/).textContent()) ?? '';
    expect(await findings(page)).toEqual([]);
    await made.getByRole('button', { name: 'Done' }).click();
    await expect(made).toHaveCount(0);
    await expect(page.getByText(key)).toHaveCount(0);
    expect(await post(app, key)).toBe(202);
    await expect(navigation(page, 'New Alerts')).toContainText('1');
    await page
      .getByRole('listitem')
      .filter({ hasText: keyName })
      .getByRole('button', { name: 'Delete API key' })
      .click();
    await expect(dialog(page, 'Delete API Key')).toContainText('This cannot be undone.');
    expect(await findings(page)).toEqual([]);
    await dialog(page, 'Delete API Key').getByRole('button', { name: 'Delete' }).click();
    await expect(toast(page)).toContainText('API key deleted');
    await expect(page.getByText(keyName)).toHaveCount(0);
    expect(await post(app, key)).toBe(401);
  });

  await test.step('a source is made; its delivery is looked at and replayed', async () => {
    await openAdminPage(page, 'Sources');
    await page.getByRole('button', { name: 'New source' }).click();
    await page.getByRole('radio', { name: /^Any JSON/ }).check({ force: true });
    await page.getByLabel('Name', { exact: true }).fill('Harbor shop');
    await page.getByRole('button', { name: 'Create source' }).click();
    await expect(heading(page, 'Harbor shop')).toBeVisible();
    const secret = (await page.locator('.secret-field__text', { hasText: /^ad_/ }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy API key' }).click();
    await expect(page.getByText('Waiting for the first delivery…')).toBeVisible();
    expect((await send(app, secret, { title: 'Card declined', customer: 'Nordwind' })).status).toBe(202);
    await expect(page.getByRole('region', { name: 'First delivery' })).toContainText('Card declined');
    await page.getByRole('button', { name: 'Open source' }).click();
    await page.getByRole('table', { name: 'Deliveries' }).getByRole('link', { name: 'Card declined' }).click();
    await expect(page.getByRole('region', { name: 'Outcome' })).toContainText(/1 new alert\. Answered 202 after/);
    await expect(page.getByRole('region', { name: 'Body' })).toContainText('"customer": "Nordwind"');
    await expect(page.getByText(secret)).toHaveCount(0);
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect(toast(page)).toContainText('1 delivery replayed: 1 new alert');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await expect(
      page.getByRole('table', { name: 'Deliveries' }).getByRole('link', { name: 'Card declined' }),
    ).toHaveCount(2);
    await expect(navigation(page, 'New Alerts')).toContainText('3');
  });

  await test.step('the endpoint is copied and tried', async () => {
    await openAdminPage(page, 'Webhook Endpoint');
    await page.getByRole('button', { name: 'Copy URL' }).click();
    await expect(toast(page)).toContainText('Copied to clipboard');
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(`${app.url.origin}/webhook`);
    await page.getByRole('button', { name: 'Send test alert' }).click();
    await expect(page.getByText(/^Arrived in New Alerts after \d+ ms\.$/)).toBeVisible();
    await expect(toast(page)).toContainText('New alert received');
    await toast(page).getByRole('button', { name: 'Close' }).click();
    await expectAccessibleInPassing(page);
    await main(page).getByRole('link', { name: 'New Alerts' }).click();
    await expect(page).toHaveURL('/');
    await expect(card(page, 'Test alert')).toContainText('Sent from the Webhook Endpoint page');
    await expect(page.getByRole('feed').getByRole('article')).toHaveCount(4);
  });

  await test.step('the audit trail says who did all that', async () => {
    await openAdminPage(page, 'Audit');
    const entries = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem');
    await page.getByLabel('Search the audit trail').fill(email);
    for (const action of ['User created', 'Password reset', 'User disabled', 'User enabled']) {
      await expect(entries.filter({ hasText: action })).toContainText(`By ${ADMINISTRATOR.email} from 127.0.0.1`);
    }
    await page.getByLabel('Search the audit trail').fill(keyName);
    await expect(entries).toHaveText([/^API key deleted/, /^API key created/]);
    expect(await findingsInThemes(page)).toEqual([]);
  });

  await test.step('About shows version, build date and platform, and gives the focus back', async () => {
    await accountButton(page, ADMINISTRATOR).click();
    await page.getByRole('menuitem', { name: 'About' }).click();
    const about = dialog(page, 'About Alertdesk');
    for (const text of ['Version 1.0.3', 'Build date', PRODUCT_BUILD_DATE, 'Platform', 'Web Browser'])
      await expect(about).toContainText(text);
    await expect(about.getByText('Web', { exact: true })).toBeVisible();
    await expect(about).toContainText('Press F12 to open DevTools.');
    for (const [name, address] of [
      ['Open web version', app.url.origin],
      ['Source repository', 'https://github.com/alertdesk/alertdesk'],
    ] as const) {
      await expect(about.getByRole('link', { name })).toHaveAttribute('href', address);
      await expect(about.getByRole('link', { name })).toHaveAttribute('target', '_blank');
      await expect(about.getByRole('link', { name })).toHaveAttribute('rel', /noopener/);
    }
    expect(await findingsInThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(about).toHaveCount(0);
    await expect(accountButton(page, ADMINISTRATOR)).toBeFocused();
    // From the sheet of a narrow screen, too.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByRole('button', { name: 'Toggle the sidebar' }).click();
    await accountButton(page, ADMINISTRATOR).click();
    await page.getByRole('menuitem', { name: 'About' }).click();
    await expect(about).toBeInViewport({ ratio: 1 });
    await about.getByRole('button', { name: 'Close' }).click();
    await expect(about).toHaveCount(0);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await test.step('the theme is changed and remembered, and the hour ends', async () => {
    await accountButton(page, ADMINISTRATOR).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const theme = page.getByRole('radiogroup', { name: 'Theme' });
    await theme.getByRole('radio', { name: 'Dark' }).click();
    await expect(page.locator('html')).toHaveClass(/bp6-dark/);
    await page.reload();
    await expect(page.locator('html')).toHaveClass(/bp6-dark/);
    await expect(theme.getByRole('radio', { name: 'Dark' })).toBeChecked();
  });
});
