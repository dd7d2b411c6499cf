import type { Page } from '@playwright/test';
import { format } from 'date-fns';
import { expectAccessible, findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, toast } from './support/screen.ts';

const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const longDate = (): string => format(new Date(), 'PPP');

test('a key is made, shown once, posts alerts, and is refused once it is deleted', async ({ app, openAs }) => {
  await app.admin.createApiKey('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 🚨');
  const page = await openAs(ADMINISTRATOR, '/admin/api-keys');
  await expect(page.getByRole('list', { name: 'API keys' })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'New Key' }).click();
  const create = dialog(page, 'New API Key').getByRole('button', { name: 'Create Key' });
  const name = dialog(page, 'New API Key').getByLabel('Name');
  await expect(name).toBeFocused();
  await expect(name).toHaveAttribute('placeholder', 'Production Webhook Key');
  await expect(create).toBeDisabled();
  await name.fill('   ');
  await expect(create).toBeDisabled();
  await name.press('Enter');
  await expect(dialog(page, 'New API Key')).toBeVisible();
  await name.fill('  Night shift  ');
  await create.click();

  await expect(dialog(page, 'API Key Created')).toContainText(
    "Save this key somewhere safe. You won't be able to see it again.",
  );
  const plainKey = (await dialog(page, 'API Key Created').getByText(/^ad_/).textContent()) ?? '';
  expect(plainKey).toMatch(/^ad_[\w-]{43}$/);
  expect(await findings(page)).toEqual([]);
  await dialog(page, 'API Key Created').getByRole('button', { name: 'Copy API key' }).click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(plainKey);
  // A slip beside it does not lose it.
  await page.mouse.click(5, 5);
  await expect(dialog(page, 'API Key Created')).toContainText(plainKey);
  await dialog(page, 'API Key Created').getByRole('button', { name: 'Done' }).click();
  await expect(dialog(page, 'API Key Created')).toHaveCount(0);
  await expect(page.getByText(plainKey)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'New Key' })).toBeFocused();
  await expect(row(page, 'Night shift')).toContainText(`Created ${longDate()}`);
  await expect(row(page, 'Night shift')).toContainText('Never used');

  const post = (): Promise<Response> =>
    fetch(new URL('/webhook', app.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': plainKey },
      body: '{"customer":"Posted by key"}',
    });
  expect((await post()).status).toBe(202);
  await page.goto('/');
  await expect(card(page, 'Posted by key')).toBeVisible();
  await page.goto('/admin/api-keys');
  await expect(row(page, 'Night shift')).toContainText(`Last used ${longDate()}`);

  await row(page, 'Night shift').getByRole('button', { name: 'Delete API key' }).click();
  await expect(dialog(page, 'Delete API Key')).toContainText('This cannot be undone.');
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog(page, 'Delete API Key')).toHaveCount(0);
  await expect(row(page, 'Night shift').getByRole('button', { name: 'Delete API key' })).toBeFocused();
  expect((await post()).status).toBe(202);

  await row(page, 'Night shift').getByRole('button', { name: 'Delete API key' }).click();
  await dialog(page, 'Delete API Key').getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('API key deleted');
  await expect(row(page, 'Night shift')).toHaveCount(0);
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1);
  expect((await post()).status).toBe(401);
});
