import type { Locator, Page } from '@playwright/test';
import { expectAccessible, findings } from './support/axe.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { goWithin } from './support/screen.ts';
import { clearSources, makeSource, send } from './support/sources.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

const style = (locator: Locator, name: string): Promise<string> =>
  locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test.beforeEach(({ app }) => clearSources(app));

test('the list of sources, a new one, unknown keys, and every tab of a source are accessible in both themes', async ({
  app,
  openAs,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  await makeSource(app, 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft 🚨');
  const { id, key } = await makeSource(app, 'Looked at');
  await send(app, key, { title: 'Disk full', customer: 'Nordwind' });
  const page = await openAs(ADMINISTRATOR, '/admin/sources');
  for (const [path, name] of [
    ['', 'Sources'],
    ['/new', 'New source'],
    ['/unknown-keys', 'Unknown keys'],
  ] as const) {
    await goWithin(page, `/admin/sources${path}`);
    await expect(heading(page, name)).toBeVisible();
    await expectAccessible(page);
  }
  for (const [tab, shown] of [
    ['deliveries', page.getByRole('table', { name: 'Deliveries' })],
    ['set-up', page.getByText(`${app.url.origin}/webhook`, { exact: true }).first()],
    ['mapping', page.getByRole('button', { name: 'Save mapping' })],
    ['settings', page.getByRole('button', { name: 'Delete source…' })],
  ] as const) {
    await goWithin(page, `/admin/sources/${id}/${tab}`);
    await expect(heading(page, 'Looked at')).toBeVisible();
    await expect(shown).toBeVisible();
    await expectAccessible(page);
  }
  await goWithin(page, `/admin/sources/${id}`);
  await page.getByRole('link', { name: 'Disk full' }).click();
  await expect(page.getByRole('heading', { name: 'How this alert was created' })).toBeVisible();
  await expectAccessible(page);
  await goWithin(page, '/admin/sources/new?sender=github');
  await page.getByRole('button', { name: 'Create source' }).click();
  await expect(page.getByText('Waiting for the first delivery…')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('with forced colours the tab, the filled-in values and the marked line stand out', async ({ app, openAs }) => {
  const { id, key } = await makeSource(app, 'Forced', 'alertmanager');
  await send(app, key, { title: 'Disk full', customer: 'Nordwind' });
  const page = await openAs(ADMINISTRATOR, `/admin/sources/${id}/set-up`, { forcedColors: 'active' });
  const tab = (name: string) => page.getByRole('link', { name, exact: true });
  expect(await style(tab('Setup'), 'border-bottom-style')).toBe('solid');
  // An edge in the page's own colour would cut the line below the tabs.
  expect(await style(tab('Mapping'), 'border-bottom-style')).toBe('none');
  for (const shown of ['Highlighted', `${app.url.origin}/webhook`]) {
    expect(await style(page.getByText(shown, { exact: true }), 'text-decoration-line')).toBe('underline');
  }

  await tab('Deliveries').click();
  await page.getByRole('link', { name: 'Disk full' }).click();
  await page.getByRole('button', { name: /^customer/ }).hover();
  const marked = page.locator('.request-panel__line_marked');
  await expect(marked).toContainText('Nordwind');
  expect(await style(marked, 'outline-style')).toBe('solid');
  const other = page.locator('.request-panel__line', { hasText: 'Disk full' });
  expect(await style(other, 'border-inline-start-color')).toBe(await style(page.locator('body'), 'background-color'));
});
