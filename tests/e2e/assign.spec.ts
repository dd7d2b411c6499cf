import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, toast } from './support/screen.ts';

test('an alert is assigned by key, the other person sees who gave it and is notified, and undo takes it back', async ({
  app,
  openAs,
  mara,
}) => {
  const jonas = await app.addMember('Jonas Okafor');
  await app.post({ title: 'Disk almost full on db-7', customer: 'prod-eu', severity: 'critical' });
  const theirs = await openAs(jonas, '/my-alerts');
  await connected(theirs);
  const page = await openAs(mara);
  await connected(page);
  await expect(card(page, 'Disk almost full')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+A');
  const dialog = page.getByRole('dialog', { name: 'Assign this alert' });
  await expect(dialog.getByRole('menuitem', { name: /^Jonas Okafor/ })).toContainText('0 open, online');
  await expectAccessible(page);
  await dialog.getByRole('menuitem', { name: /^Jonas Okafor/ }).click();
  await expect(toast(page)).toContainText('1 assigned to Jonas Okafor');
  await expect(card(page, 'Disk almost full')).toHaveCount(0);
  await expect(card(theirs, 'Disk almost full')).toContainText('Assigned by Mara Lindqvist');
  await expect(toast(theirs)).toContainText('Mara Lindqvist assigned an alert to you');

  await page.keyboard.press('z');
  await expect(card(page, 'Disk almost full')).toBeVisible();
  await expect(card(theirs, 'Disk almost full')).toHaveCount(0);
});

test('a queue is handed over with a note and its folders, and taken back as it was', async ({ app, openAs, mara }) => {
  const ines = await app.addMember('Ines Okafor');
  const queue = await queueOf(app, mara);
  await queue.accept({ title: 'Disk almost full', severity: 'critical' });
  await queue.setStatus(await queue.accept({ title: 'Deploy failed', severity: 'high' }), 'in-progress');
  await queue.setStatus(await queue.accept({ title: 'Done with this' }), 'completed');
  const folder = await queue.folder('Urgent', { color: 'red' });
  await queue.file(await queue.accept({ title: 'Filed away' }), folder);
  const theirs = await openAs(ines, '/my-alerts');
  await connected(theirs);
  const page = await openAs(mara, '/my-alerts');
  await connected(page);
  await page.getByRole('button', { name: 'Hand over' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over my queue' });
  await expect(dialog.getByText('2 open alerts go to one person')).toBeVisible();
  await dialog.getByRole('button', { name: 'To', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: /^Ines Okafor/ }).click();
  await dialog.getByRole('checkbox', { name: /Also the alerts in my folders/ }).check({ force: true });
  await dialog.getByLabel('Note').fill('Call Ines at the gateway.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Hand over 3' }).click();
  await expect(toast(page)).toContainText('3 handed over to Ines Okafor');
  await expect(card(page, 'Done with this')).toBeVisible();
  await expect(card(page, 'Disk almost full')).toHaveCount(0);
  await expect(toast(theirs)).toContainText('Mara Lindqvist handed over 3 alerts to you');
  await expect(toast(theirs)).toContainText('Call Ines at the gateway.');
  await expect(card(theirs, 'Deploy failed')).toContainText('Handed over by Mara Lindqvist');

  await page.keyboard.press('z');
  await expect(card(page, 'Disk almost full')).toBeVisible();
  await expect.poll(() => queue.mine().then((ids) => ids.length)).toBe(3);
  expect((await queue.folders())[0]?.alertCount).toBe(1);
});
