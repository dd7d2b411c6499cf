import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected } from './support/screen.ts';

test('a list is searched by words and keys from the header, with hits marked, and follows what arrives', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post({ customer: 'Harbor & Finch', type: 'disk.full', text: 'db-7 is almost full', note: 'call storage' });
  await app.post({ customer: 'Harbor & Finch', type: 'http.timeout', text: 'checkout answers late' });
  await app.post({ customer: 'Nordwind', type: 'disk.full', text: 'db-9 is full' });
  const queue = await queueOf(app, mara);
  await queue.accept({ customer: 'Atlas', type: 'disk.full', text: 'db-1 is full' });
  const filed = await queue.accept({ customer: 'Borealis', type: 'disk.full', text: 'db-2 is full' });
  await queue.file(filed, await queue.folder('Disks'));
  const page = await openAs(mara);
  await connected(page);
  await expect(card(page, 'Nordwind')).toBeVisible();

  const field = page.getByRole('combobox', { name: 'Search alerts' });
  await expect(field).toBeVisible();
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await page.keyboard.type('full db');
  await expect(card(page, 'checkout')).toHaveCount(0);
  await expect(page.locator('.page-head__count')).toHaveText('2 of 3 match');
  await expect(page.locator('mark').first()).toBeVisible();
  await expect(
    page.getByRole('navigation', { name: 'Search in' }).getByRole('link', { name: 'My Alerts' }),
  ).toBeVisible();

  await page.keyboard.type(' customer:har');
  await expect(page.getByRole('option', { name: 'Harbor & Finch' })).toHaveText('Harbor & Finch1');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Remove customer: Harbor & Finch' })).toBeVisible();
  await expect(page.locator('.page-head__count')).toHaveText('1 of 3 match');
  await expect(card(page, 'Nordwind')).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get('search')).toBe('customer:"Harbor & Finch" full db');

  await app.post({ customer: 'Harbor & Finch', type: 'disk.full', text: 'db-8 is full by now' });
  await expect(page.getByText('db-8 is')).toBeVisible();
  await expect(page.locator('.page-head__count')).toHaveText('2 of 4 match');

  await page.keyboard.type('status:open ');
  await expect(page.getByText('status: takes pending, accepted, in-progress or completed.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(page.getByRole('button', { name: 'Remove customer' })).toHaveCount(0);
  await expect(card(page, 'Nordwind')).toBeVisible();

  await page.keyboard.type('full');
  await page.getByRole('navigation', { name: 'Search in' }).getByRole('link', { name: 'My Alerts' }).click();
  await expect(card(page, 'Atlas')).toBeVisible();
  await expect(field).toHaveValue('full');
  await page.getByRole('navigation', { name: 'Search in' }).getByRole('link', { name: 'My Folders 1' }).click();
  await expect(card(page, 'Borealis')).toBeVisible();
  await field.fill('folder:disks status:accepted');
  await expect(page.locator('.page-head__count')).toHaveText('1 match');
  await page.goto('/my-alerts?search=full');
  await expect(card(page, 'Atlas')).toBeVisible();
  await field.fill('nothing like this');
  await expect(page.getByText('No alerts match “nothing like this”')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search' }).click();
  await expect(card(page, 'Atlas')).toBeVisible();

  // A note has the word: the card shows where.
  await page.setViewportSize({ width: 1280, height: 740 });
  const [noted] = await app.inbox();
  await page.goto('/?search=nightjar');
  await connected(page);
  await expect(page.getByText('No alerts match “nightjar”')).toBeVisible();
  const note = { text: 'The Nightjar sits in the rack', mentions: [] };
  await queue.client.request('POST', `/api/alerts/${noted?.id}/notes`, note);
  await expect(page.getByText('The Nightjar sits in the rack').locator('mark')).toHaveText('Nightjar');
});
