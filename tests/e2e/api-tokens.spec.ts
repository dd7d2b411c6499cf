import type { Page } from '@playwright/test';
import { findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

/** Reads the token that is shown, and closes the dialog with it. */
async function takeToken(page: Page): Promise<string> {
  const shown = dialog(page, 'Token Created');
  const plain = (await shown.getByText(/^adt_/).textContent()) ?? '';
  expect(await findings(page)).toEqual([]);
  await shown.getByRole('button', { name: 'Copy token' }).click();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(plain)).toHaveCount(0);
  return plain;
}

test('a token is made on My account and for a service, calls the API, and is refused once it is revoked', async ({
  app,
  openAs,
}) => {
  const page = await openAs(ADMINISTRATOR, '/account');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const call = (token: string, path: string, method = 'GET') =>
    fetch(new URL(path, app.url), { method, headers: { Authorization: `Bearer ${token}` } });

  await page.getByRole('button', { name: 'New Token' }).click();
  const form = dialog(page, 'New API Token');
  await expect(form.getByRole('button', { name: 'Create Token' })).toBeDisabled();
  await form.getByLabel('Name').fill('Nightly export');
  await form.getByLabel('Scope').selectOption('Triage');
  await expect(form).toContainText('Also accepts, assigns, snoozes, moves and deletes alerts, and writes notes.');
  expect(await findings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Create Token' }).click();
  const own = await takeToken(page);
  await expect(row(page, 'Nightly export')).toContainText(/Triage.*Never used · expires /);
  expect((await call(own, '/api/alerts/inbox')).status).toBe(200);
  expect((await call(own, '/api/auth/users')).status).toBe(403);
  await row(page, 'Nightly export').getByRole('button', { name: 'Revoke token' }).click();
  await dialog(page, 'Revoke Token').getByRole('button', { name: 'Revoke' }).click();
  await expect(row(page, 'Nightly export')).toHaveCount(0);
  expect((await call(own, '/api/alerts/inbox')).status).toBe(401);

  await page.goto('/admin');
  await page.getByRole('link', { name: 'Service Tokens' }).click();
  await expect(page.getByText('No service tokens yet')).toBeVisible();
  await page.getByRole('button', { name: 'New Token' }).click();
  const service = dialog(page, 'New Service Token');
  await service.getByLabel('Name').fill('Escalation bot');
  await service.getByLabel('Sees').selectOption('Every alert');
  await service.getByLabel('Valid for').selectOption('Until it is revoked');
  await service.getByRole('button', { name: 'Create Token' }).click();
  const bot = await takeToken(page);
  await expect(row(page, 'Escalation bot')).toContainText('Read · every alert');
  await expect(row(page, 'Escalation bot')).toContainText('does not expire');
  expect((await call(bot, '/api/alerts/all')).status).toBe(200);
  expect((await call(bot, '/api/folders', 'POST')).status).toBe(403);
});
