import { readFile } from 'node:fs/promises';
import { expect, test, ADMINISTRATOR } from './support/fixtures.ts';

/** Leaves a request without an answer. */
const NEVER = (): void => undefined;

test('a list is exported as it is filtered, with its notes; a run can be cancelled', async ({ app, openAs }) => {
  const ids = [];
  for (let n = 1; n <= 120; n += 1)
    ids.push(await app.post({ title: `Disk ${n}`, customer: n % 2 ? 'Nordwind' : 'Harbor' }));
  await app.admin.request('POST', `/api/alerts/${ids[0]}/notes`, { text: '=Called them', mentions: [] });
  const page = await openAs(ADMINISTRATOR, '/?customer=Nordwind');
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export New Alerts' });
  await expect(dialog).toContainText('60 alerts');

  // Nothing is saved of a run that is cancelled.
  let saved = 0;
  page.on('download', () => (saved += 1));
  await page.route('**/api/notes?*', NEVER);
  await dialog.getByRole('button', { name: 'Export' }).click();
  await expect(dialog.getByRole('status')).toHaveText('0 of 60');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await page.unroute('**/api/notes?*');

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^alertdesk-new-alerts-[\d-]+\.csv$/);
  const text = await readFile(await file.path(), 'utf8');
  expect(text.match(/Nordwind,/g)).toHaveLength(60);
  expect(text).not.toContain('Harbor');
  expect(text).toMatch(/Administrator: =Called them/);
  await expect(page.getByText('Alerts exported')).toBeVisible();
  expect(saved).toBe(1);
});
