import type { Page } from '@playwright/test';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, folderCount, folderRow, navigation, openMoveMenu } from './support/screen.ts';

const moveEntries = (page: Page) => page.getByRole('menu', { name: 'Move to' }).getByRole('menuitem');

test('one person in two windows sees one queue', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.folder('Urgent');
  await queue.accept({ customer: 'One' });
  const [one, other] = [await openAs(mara, '/my-alerts'), await openAs(mara, '/my-alerts')];
  await Promise.all([connected(one), connected(other)]);
  await openMoveMenu(one, 'One');
  await moveEntries(one).click();
  await expect(other.getByText('No alerts yet')).toBeVisible();
  await expect(folderCount(other, 'Urgent')).toHaveText('1');
  await folderRow(other, 'Urgent').getByRole('link').click();
  await expect(card(other, 'One')).toBeVisible();
  await navigation(other, 'My Alerts').click();
  await expect(other.getByText('No alerts yet')).toBeVisible();
});
