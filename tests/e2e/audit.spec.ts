import { readFile } from 'node:fs/promises';
import { findingsInThemes } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { toast } from './support/screen.ts';

test('the audit trail is searched, filtered by kind, and exported as it is shown', async ({ app, openAs }) => {
  const made = await app.admin.createSource({ name: 'Audited source' });
  await app.admin.deleteApiKey(made?.id ?? '');
  const page = await openAs(ADMINISTRATOR, '/admin');
  await page.getByRole('main').getByRole('link', { name: 'Audit' }).click();
  const entries = page.getByRole('list', { name: 'Audit trail' }).getByRole('listitem');
  await expect(entries.filter({ hasText: 'Signed in' }).first()).toContainText(
    `By ${ADMINISTRATOR.email} from 127.0.0.1`,
  );
  await page.getByLabel('Search the audit trail').fill('audited SOURCE');
  await expect(entries).toHaveText([/^Api key deleted|^API key deleted/, /^Source created/]);
  await page.getByLabel('Kind').selectOption('Sources');
  await expect(entries).toHaveText([/^Source created.*Audited source/]);
  expect(await findingsInThemes(page)).toEqual([]);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByText('JSON lines').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^alertdesk-audit-[\d-]+\.jsonl$/);
  const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(['source_created']);
  await expect(toast(page)).toContainText('Audit exported');

  await page.getByLabel('Search the audit trail').fill('nobody at all');
  await expect(page.getByText('No entries')).toBeVisible();
  await page.getByRole('button', { name: 'Show everything' }).click();
  await expect(entries.first()).toBeVisible();
});
