import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, navigation, toast } from './support/screen.ts';

test('an empty inbox says so', async ({ openAs }) => {
  const page = await openAs(ADMINISTRATOR);
  await expect(page.getByText('All caught up!')).toBeVisible();
  await expect(
    page.getByText("No new alerts waiting for you. When webhooks arrive, they'll appear here."),
  ).toBeVisible();
  await expect(page).toHaveTitle('Alertdesk');
});

test('what is fetched after the inbox takes nothing of it away when it cannot be had', async ({ app, openAs }) => {
  await app.post({ customer: 'Orchard Health' });
  const page = await openAs(ADMINISTRATOR);
  // Parts that are fetched later have numbers for names. An empty one is as good as none, and the browser is content.
  let asked = 0;
  await page.route(/\/assets\/\d+\.[\da-f]+\.js$/, (route) => {
    asked += 1;
    return route.fulfill({ contentType: 'text/javascript', body: '' });
  });
  await page.reload();
  await connected(page);
  await expect.poll(() => asked).toBeGreaterThan(2);
  await expect(card(page, 'Orchard Health')).toBeVisible();
  await app.post({ customer: 'Kestrel Health' });
  await expect(card(page, 'Kestrel Health')).toBeVisible();
  await expect(toast(page)).toContainText('Alert from Kestrel Health');
});

test('a card says who, what, when and four fields; the rest is in Extra Information', async ({ app, openAs }) => {
  await app.post({
    customer: { id: 7, name: 'Orchard Health' },
    alert_type: 'backup_failed',
    _internal: 'hidden',
    pk: 1,
    job_name: 'nightly',
    host: 'db-7',
    attempts: 3,
    duration_seconds: 812,
    exit_code: 75,
    details: { volume: 'vol-9', used: '98 %' },
  });
  const page = await openAs(ADMINISTRATOR);
  const alert = card(page, 'Orchard Health');
  await expect(alert).toContainText('New');
  await expect(alert).toContainText('backup_failed');
  for (const name of ['job name', 'host', 'attempts', 'duration seconds']) await expect(alert).toContainText(name);
  for (const hidden of ['exit code', 'internal', 'vol-9']) await expect(alert).not.toContainText(hidden);

  await alert.getByRole('button', { name: /^Extra information/ }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Extra Information');
  await expect(dialog).toContainText('Additional fields from this alert');
  for (const field of ['exit code', '75', 'vol-9']) await expect(dialog).toContainText(field);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('what a sender writes is shown as text, never run', async ({ app, openAs }) => {
  const script = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>';
  await app.post({ customer: script, alertType: script, link: 'javascript:document.title="run"', note: script });
  const page = await openAs(ADMINISTRATOR);
  await expect(card(page, '<img src=x')).toBeVisible();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  await expect(page).toHaveTitle('(1) Alertdesk');
});

test('a deleted alert can be brought back, else it is gone for everybody', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Umbra Optics' });
  const page = await openAs(mara);
  await connected(page);
  await page.clock.install();
  await card(page, 'Umbra Optics').getByRole('button', { name: 'Delete' }).click();
  await expect(card(page, 'Umbra Optics')).toHaveCount(0);
  await toast(page).getByRole('button', { name: 'Undo' }).click();
  await expect(card(page, 'Umbra Optics')).toBeVisible();

  await card(page, 'Umbra Optics').getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page)).toContainText('Alert deleted');
  await expect(card(page, 'Umbra Optics')).toHaveCount(0);
  await page.clock.runFor(6000);
  await expect.poll(async () => (await app.inbox()).length).toBe(0);
});

test('the queue: statuses, history, counts in the sidebar', async ({ app, openAs, mara }) => {
  await app.post({ customer: 'Tamarind Foods', alertType: 'stock_low' });
  const page = await openAs(mara);
  await expect(navigation(page, 'New Alerts')).toContainText('1');
  await card(page, 'Tamarind Foods').getByRole('button', { name: 'Accept' }).click();
  await navigation(page, 'My Alerts').click();
  await expect(page).toHaveURL('/my-alerts');
  await expect(navigation(page, 'My Alerts')).toContainText('1');

  const alert = card(page, 'Tamarind Foods');
  await alert.getByText('In Progress').click();
  await expect(toast(page)).toContainText('Status updated');
  await expect(toast(page)).toContainText('Alert status changed to In Progress');
  await page.reload();
  await expect(alert.getByRole('radio', { name: 'In Progress' })).toBeChecked();

  await alert.getByRole('button', { name: 'Alert history' }).click();
  const history = page.getByRole('dialog');
  await expect(history).toContainText('Complete tracking history for this alert');
  await expect(history).toContainText('Status Change');
  await expect(history).toContainText('By Mara Lindqvist');
  await expect(history).toContainText('By End-to-end tests');
});
