import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import type { TestMailServer } from '#tests/support/mail-server.ts';
import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect } from './support/fixtures.ts';
import { test } from './support/mailing.ts';
import { toast } from './support/screen.ts';

const pending = (page: Page, text: string) =>
  page.getByRole('list', { name: 'Pending links' }).getByRole('listitem').filter({ hasText: text });
const pathIn = (text: string) => /(?<path>\/(?:join|reset-password)#[\w-]{43})/.exec(text)?.groups?.['path'] ?? '';
/** Closes the dialog with a link that nobody has copied, once it has the focus. */
async function closeLink(page: Page, isMailed: boolean): Promise<void> {
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await page.getByRole('button', { name: 'Done' }).click();
  if (!isMailed) await page.getByRole('button', { name: 'Close without the link' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}
const lastMailTo = (mailServer: TestMailServer, email: string) =>
  mailServer.mails.findLast(({ to }) => to.includes(email))?.text ?? '';

test('somebody is invited, joins by a link that works once, and gets another password by mail', async ({
  mailServer,
  open,
  openAs,
}) => {
  test.slow();
  const email = `${uuidv7()}@example.org`;
  const page = await openAs(ADMINISTRATOR, '/admin/users');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite' });
  const made = page.getByRole('dialog', { name: 'Invitation' });
  await dialog.getByLabel('Email', { exact: true }).fill(email);
  await dialog.getByLabel('Display Name').fill('Jonas Berg');
  await dialog.getByText('Email the link to them').click();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(made).toContainText('Send this link to Jonas Berg');
  const path = pathIn((await made.textContent()) ?? '');
  expect(path).toMatch(/^\/join#/);
  await closeLink(page, false);
  await expect(pending(page, email)).toContainText('Invitation');
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  const theirs = await open(path);
  await expect(theirs.getByText(`Welcome, Jonas Berg. Choose a password for ${email}.`)).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByLabel('Password', { exact: true }).fill('tea at four');
  await theirs.getByRole('button', { name: 'Create account' }).click();
  await expect(theirs.getByText('All caught up!')).toBeVisible();

  const late = await open(path);
  await expect(late.getByRole('alert')).toHaveText('This link is no longer valid. Ask an administrator for a new one.');
  await late.getByRole('link', { name: 'Go to the sign-in page' }).click();
  await late.getByLabel('Email', { exact: true }).fill(email);
  await late.getByRole('button', { name: 'Forgot password?' }).click();
  await expect(toast(late)).toContainText('Check your email');
  await expect.poll(() => lastMailTo(mailServer, email), { timeout: 10_000 }).not.toBe('');
  const reset = await open(pathIn(lastMailTo(mailServer, email)));
  await reset.getByLabel('Password', { exact: true }).fill('tea at five');
  await reset.getByRole('button', { name: 'Set new password' }).click();
  await expect(reset.getByText('Your password was changed. Sign in with it.')).toBeVisible();
  await reset.getByRole('link', { name: 'Go to the sign-in page' }).click();
  await reset.getByLabel('Email', { exact: true }).fill(email);
  await reset.getByLabel('Password', { exact: true }).fill('tea at five');
  await reset.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(reset.getByText('All caught up!')).toBeVisible();
});
