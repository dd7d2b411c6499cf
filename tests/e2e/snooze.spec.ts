import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { card, connected, navigation, toast } from './support/screen.ts';

test('an alert of the inbox is snoozed for everybody, and woken from Snoozed', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Nordwind', type: 'disk.full' });
  await app.post({ customer: 'Atlas' });
  const ann = await openAs(await app.addMember('Ann Ashby'));
  const page = await openAs(mara);
  await connected(page);
  await connected(ann);
  await card(page, 'Nordwind').hover();
  await card(page, 'Nordwind').getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('menuitem', { name: '1 hour' }).click();
  await expect(toast(page)).toContainText('Alert snoozed');
  for (const screen of [page, ann]) {
    await expect(card(screen, 'Nordwind')).toHaveCount(0);
    await expect(navigation(screen, 'Snoozed')).toContainText('1');
  }
  await page.keyboard.press('z');
  await expect(card(ann, 'Nordwind')).toBeVisible();

  // By keys, with a date and a time.
  await card(page, 'Atlas').locator('..').focus();
  await page.keyboard.press('s');
  await page.getByRole('menuitem', { name: 'Date and time…' }).click();
  await page.getByLabel('Date and time').fill('2020-01-01T09:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
  await expect(page.getByRole('alert')).toContainText('This time has passed');
  await page.getByLabel('Date and time').fill('2026-12-24T09:00');
  await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click();
  await expect(card(page, 'Atlas')).toHaveCount(0);

  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await expect(page.getByRole('heading', { name: 'Snoozed' })).toBeVisible();
  await expect(card(page, 'Atlas')).toContainText('Until Dec 24, 9:00 AM');
  await expect(toast(page)).toHaveCount(0);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await card(page, 'Atlas').getByRole('button', { name: 'Wake now' }).click();
  await expect(page.getByText('Nothing is snoozed')).toBeVisible();
  await expect(card(ann, 'Atlas')).toBeVisible();
});
