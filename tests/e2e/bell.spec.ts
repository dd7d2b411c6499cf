import * as z from 'zod/mini';
import { findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { connected } from './support/screen.ts';

test('the bell stands under its button, takes a phone’s whole screen, and is readable in both themes', async ({
  app,
  openAs,
  mara,
}) => {
  const ann = await queueOf(app, await app.addMember('Ann Ashby'));
  const session = await (await queueOf(app, mara)).client.request('GET', '/api/auth/session');
  const { id } = z.object({ id: z.string() }).parse(await session.json());
  const title = 'The archive of last night is stuck on the second of three volumes and has not ended';
  const alerts: string[] = [];
  for (const customer of ['Harbor & Finch', 'Northwind Traders and Daughters of Rotterdam'])
    alerts.push(await app.post({ title, customer, severity: 'critical' }));
  for (const alert of alerts)
    await ann.client.request('POST', `/api/alerts/${alert}/notes`, { text: 'Same as Tuesday', mentions: [id] });
  await ann.client.request('DELETE', `/api/webhooks/${alerts[0]}`);

  const page = await openAs(mara);
  await connected(page);
  const bell = page.getByRole('button', { name: 'For you, 2 unread' });
  const panel = page.getByRole('dialog', { name: 'For you' });
  await bell.click();
  const row = panel.getByRole('link', { name: /Ann Ashby mentioned you/ });
  await expect(row).toBeFocused();
  const shownAt = await page.evaluate(() => performance.now());
  const [button, box] = [await bell.boundingBox(), await panel.boundingBox()];
  expect(box?.width).toBe(480);
  expect(Math.round((box?.y ?? 0) - (button?.y ?? 0) - (button?.height ?? 0))).toBe(4);
  expect(await findingsInThemes(page)).toEqual([]);
  // What is in sight for a second is read when the bell closes.
  await page.waitForFunction((at) => performance.now() - at > 1_500, shownAt);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'For you', exact: true })).toBeFocused();

  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 640 });
    await page.getByRole('button', { name: /^For you/ }).click();
    await expect(panel.getByRole('link', { name: /Ann Ashby mentioned you/ })).toBeVisible();
    expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width, height: 640 });
    const rows = panel.locator('li');
    for (const one of await rows.all()) expect((await one.boundingBox())?.width).toBe(width);
    await panel.getByText('Recent', { exact: true }).click();
    await expect(panel.getByText('Nothing in the last 16 minutes')).toBeVisible();
    await expect(panel.getByRole('radio', { name: 'Recent' })).toBeInViewport({ ratio: 1 });
    await panel.getByRole('button', { name: 'Close' }).click();
    await expect(panel).toHaveCount(0);
  }
});
