import { expectAccessible } from './support/axe.ts';
import { ADMINISTRATOR, expect } from './support/fixtures.ts';
import { test } from './support/mailing.ts';

test('a member is mailed a mention and ends that by the link in the mail, without signing in', async ({
  app,
  mailServer,
  open,
  openAs,
}) => {
  // Members of earlier tests can be mentioned, too.
  const mara = await app.addMember(`Mara${crypto.randomUUID().slice(0, 8)}`);
  const page = await openAs(mara, '/settings');
  const panel = page.getByRole('region', { name: 'Email' });
  const mentions = panel.getByRole('switch', { name: 'Email me when I am mentioned' });
  const digest = panel.getByRole('switch', { name: 'Email me a daily digest' });
  await expect(mentions).not.toBeChecked();
  await panel.getByText('Email me when I am mentioned').click();
  await panel.getByText('Email me a daily digest').click();
  await expect(digest).toBeChecked();
  await panel.getByLabel('At', { exact: true }).fill('07:30');
  await expect(panel).toContainText('In the time zone');
  await expectAccessible(page);
  await page.reload();
  await expect(mentions).toBeChecked();
  await expect(panel.getByLabel('At', { exact: true })).toHaveValue('07:30');
  await page.close();

  await app.post({ title: 'Disk full', customer: 'Nordwind' });
  const author = await openAs(ADMINISTRATOR);
  await author.locator('article[data-alert-id]', { hasText: 'Disk full' }).getByRole('link').click();
  const details = author.getByRole('complementary', { name: 'Alert details' });
  const composer = details.getByRole('textbox', { name: 'Add a note' });
  await composer.fill(`Can you look? @${mara.displayName}`);
  await expect(details.getByRole('option', { name: mara.displayName })).toBeVisible();
  await composer.press('Enter');
  await composer.press('Control+Enter');
  // At half past seven there is a digest, too.
  const mail = () =>
    mailServer.mails.findLast(({ to, text }) => to.includes(mara.email) && text.includes('mentioned you'))?.text ?? '';
  await expect.poll(mail).toContain('mentioned you in a note on “Disk full”');
  expect(mail()).toContain(`> Can you look? @${mara.displayName}`);

  const path = /\/api\/unsubscribe\?token=[\w.-]+/.exec(mail())?.[0] ?? '';
  const stop = await open(path);
  await expectAccessible(stop);
  await stop.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(stop.getByRole('heading', { name: 'Done' })).toBeVisible();
  await expectAccessible(stop);

  const again = await openAs(mara, '/settings');
  const after = again.getByRole('region', { name: 'Email' });
  await expect(after.getByRole('switch', { name: 'Email me a daily digest' })).toBeChecked();
  await expect(after.getByRole('switch', { name: 'Email me when I am mentioned' })).not.toBeChecked();
});
