import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { card, connected, toast } from './support/screen.ts';

// Cards come in and leave here.
test.use({ moving: true });

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

test('what a sender writes is shown as text, never run', async ({ app, openAs }) => {
  const script = '<img src=x onerror="document.title=\'run\'"><script>document.title="run"</script>';
  await app.post({ customer: script, alertType: script, link: 'javascript:document.title="run"', note: script });
  const page = await openAs(ADMINISTRATOR);
  await expect(card(page, '<img src=x')).toBeVisible();
  await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  await expect(page).toHaveTitle('(1) Alertdesk');
});
