import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { accountButton, toast } from './support/screen.ts';

const sessions = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');

test('my account: name, password and sessions are changed in one browser, and the other one follows', async ({
  mara,
  openAs,
  open,
}) => {
  const page = await openAs(mara);
  const other = await openAs(mara);
  await accountButton(page, mara).click();
  await page.getByRole('menuitem', { name: 'My account' }).click();
  await expect(page.getByRole('heading', { name: 'My account' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByLabel('Display Name').fill('Mara Lind');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(accountButton(page, mara)).toContainText('Mara Lind');
  await expect(accountButton(other, mara)).toContainText('Mara Lind');

  await expect(sessions(page)).toHaveCount(2);
  await expect(sessions(page).first()).toContainText('This browser');
  await expect(sessions(page).first()).toContainText(/Signed in .* at \d+:\d\d [AP]M/);
  await page.getByRole('radio', { name: '24 hours' }).click();
  await expect(sessions(page).first()).toContainText(/ at \d\d:\d\d from/);
  await page.getByLabel('Time zone').focus();
  await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
  await expect(page.getByText(/^It is now .* \(GMT\+9\)\.$/)).toBeVisible();
  await expect(page.getByLabel('Time zone')).toBeFocused();
  await sessions(page).nth(1).getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(toast(page)).toContainText('Signed out of');
  await expect(sessions(page)).toHaveCount(1);
  await expect(other.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toBeDisabled();

  const third = await openAs(mara);
  await expect(third.getByText('All caught up!')).toBeVisible();
  await page.getByLabel('Current Password').fill('not this one');
  await page.getByLabel('New Password', { exact: true }).fill('only for tests, too');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(toast(page)).toContainText('This is not your current password.');
  await expect(page.getByLabel('Current Password')).toBeFocused();
  await page.getByLabel('Current Password').fill(mara.password);
  await expect(page.getByLabel('Sign out everywhere else')).toBeChecked();
  await page.getByRole('button', { name: 'Change Password' }).click();
  await expect(toast(page)).toContainText('Password changed');
  await expect(third.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();

  // This one is still signed in, live, and after a reload; what is stored of the member is downloaded.
  await expect(page.getByText('Reconnecting…')).toHaveCount(0, { timeout: 15_000 });
  await page.reload();
  await expect(sessions(page)).toHaveCount(1);

  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^alertdesk-my-data-\d{4}-\d\d-\d\d\.jsonl$/);
  await expect(toast(page)).toContainText('Your data was downloaded');
  const lines = (await readFile(await file.path(), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.find(({ type }) => type === 'user')).toMatchObject({ email: mara.email });
  expect(lines.at(-1)).toMatchObject({ type: 'end' });

  await page.route('**/api/auth/export', (route) => route.fulfill({ body: '{"type":"export"}\n{"type":"us' }));
  await page.getByRole('button', { name: 'Download my data' }).click();
  await expect(toast(page)).toContainText('The download was interrupted. Try again.');

  const again = await open('/login');
  await again.getByLabel('Email', { exact: true }).fill(mara.email);
  await again.getByLabel('Password', { exact: true }).fill('only for tests, too');
  await again.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(again.getByText('All caught up!')).toBeVisible();
});
