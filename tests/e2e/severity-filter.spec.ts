import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { connected, filterButton } from './support/screen.ts';

test('the severities of the filter are accessible in both themes', async ({ app, openAs, mara }) => {
  for (const severity of ['critical', 'warning']) await app.post({ title: `Disk ${severity}`, severity });
  const page = await openAs(mara, '/?severity=critical&sort=severity');
  await connected(page);
  await filterButton(page, 'Severity').click();
  const menu = page.getByRole('menu', { name: 'Severity' });
  await expect(menu.getByRole('menuitemcheckbox', { name: /^Critical/ })).toBeChecked();
  await expectAccessible(page);
  expect(await findingsInThemes(page)).toEqual([]);
});
