import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card } from './support/screen.ts';

const BODY = {
  customer: 'Atlas Freight',
  type: 'disk.full',
  title: 'Disk almost full on db-7',
  host: 'db-7',
  used: '98 %',
  free: '2 GB',
  mount: '/var/lib/data',
  exact: '{exact}',
  details: { volume: 'vol-9' },
};

test('the history and a dragged card say which alert they are about', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  await queue.accept(BODY);
  const page = await openAs(mara, '/my-alerts');
  await card(page, 'Atlas Freight').hover();
  await card(page, 'Atlas Freight').getByRole('button', { name: 'Alert history' }).click();
  await expect(page.getByRole('dialog', { name: 'Alert History' })).toContainText(
    'disk.full from Atlas Freight: Disk almost full on db-7',
  );
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const handle = await page.locator('.ad-drag-handle').first().boundingBox();
  if (!handle) throw new Error('The card has no handle.');
  await page.mouse.move(handle.x + 5, handle.y + 5);
  await page.mouse.down();
  await page.mouse.move(handle.x + 60, handle.y + 60, { steps: 5 });
  await expect(page.locator('.ad-drag-overlay')).toContainText('Disk almost full on db-7');
  await page.keyboard.press('Escape');
  await page.mouse.up();
});
