import { answerPrompt } from './support/browser-device.ts';
import { expect, test } from './support/fixtures.ts';

test('the browser’s own question is asked once, by the inbox, and its answer is on the switch', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara, '/settings');
  const toggle = page.getByRole('switch', { name: /^Notifications/ });
  const prompt = await answerPrompt(page, app.url.origin, 'granted');
  await page.goto('/');
  await expect(toggle).toBeChecked();
  await expect.poll(() => page.evaluate("localStorage.getItem('notifications-enabled')")).toBe('true');
  await page.reload();
  await expect(toggle).toBeChecked();
  expect(prompt.asked).toBe(1);
});
