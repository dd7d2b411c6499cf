import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, openCardMenu, toast } from './support/screen.ts';

test('a customer or a type is muted from a card for a time, says so, and ends while the page is open', async ({
  app,
  openAs,
  mara,
}) => {
  // Settings draws the customers at the top of its list; other tests on this server add more.
  await app.post({ customer: 'Aachen Stahl', type: 'disk.full' });
  await app.post({ customer: 'Aachen Stahl', type: 'order' });
  const { client } = await queueOf(app, mara);
  const page = await openAs(mara);
  await connected(page);
  await card(page, 'disk.full').hover();
  await openCardMenu(page, 'disk.full');
  await page.getByRole('menuitem', { name: /^Mute/ }).hover();
  await page.getByRole('menuitem', { name: 'For a time…' }).click();
  await expect(page.getByRole('radio', { name: 'Alert type disk.full' })).toBeChecked();
  await page.getByLabel('For how long').selectOption('8 hours');
  await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
  await expect(toast(page)).toContainText('Alert type muted');
  await expect(card(page, 'disk.full')).toContainText('Muted');
  await expect(card(page, 'order')).not.toContainText('Muted');
  await page.keyboard.press('z');
  await expect(card(page, 'disk.full')).not.toContainText('Muted');

  await card(page, 'order').locator('..').focus();
  await page.keyboard.press('l');
  await page.getByText('Customer Aachen Stahl', { exact: true }).click();
  await page.getByLabel('For how long').selectOption('Forever');
  await page.getByRole('dialog').getByRole('button', { name: 'Mute' }).click();
  await expect(card(page, 'order')).toContainText('Muted');

  // Elsewhere it is given an end, then a nearer one, which comes while this page is open.
  const [customer] = (await (await client.request('GET', '/api/customer-mutes')).json()) as { customerId: string }[];
  const endIn = async (ms: number) => {
    const until = new Date(Date.now() + ms).toISOString();
    const { status } = await client.request('POST', '/api/customer-mutes', { ...customer, until });
    expect(status).toBe(201);
  };
  await endIn(60 * 60_000);
  await page.goto('/settings');
  await expect(page.getByText(/^Muted until /)).toBeVisible();
  await page.goto('/');
  await expect(card(page, 'order')).toContainText('Muted');
  await endIn(2_000);
  await expect(card(page, 'order')).not.toContainText('Muted', { timeout: 20_000 });
  await expectAccessible(page);
});
