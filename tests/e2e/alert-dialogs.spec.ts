import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, toast } from './support/screen.ts';

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

test('Extra Information says which alert it is about, and copies one value and the whole JSON', async ({
  app,
  openAs,
  mara,
}) => {
  await app.post(BODY);
  const page = await openAs(mara);
  await connected(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await card(page, 'Atlas Freight')
    .getByRole('button', { name: /^Extra information/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Extra Information' });
  await expect(dialog).toContainText('disk.full from Atlas Freight: Disk almost full on db-7');
  await dialog.getByRole('button', { name: 'Copy details' }).click();
  await expect(toast(page)).toContainText('Copied to clipboard');
  expect(JSON.parse(await copied())).toEqual(BODY.details);
  await dialog.getByRole('button', { name: 'Copy exact' }).click();
  await expect.poll(copied).toBe('{exact}');
  await dialog.getByRole('button', { name: 'Copy JSON' }).click();
  await expect.poll(async () => JSON.parse(await copied())).toEqual(BODY);
});

test('closing it gives the focus to a card, also when its alert has left meanwhile', async ({ app, openAs, mara }) => {
  await app.post({ ...BODY, customer: 'Brightwater' });
  const id = await app.post(BODY);
  const page = await openAs(mara);
  await connected(page);
  await card(page, 'Atlas Freight')
    .getByRole('button', { name: /^Extra information/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Extra Information' });
  await expect(dialog).toBeVisible();
  await app.admin.request('POST', `/api/alerts/${id}/accept`);
  await expect(card(page, 'Atlas Freight')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('article', { name: /Brightwater/ })).toBeFocused();
});

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

test('a card is named as a person would name it', async ({ app, openAs, mara }) => {
  await app.post(BODY);
  const page = await openAs(mara);
  await expect(
    page.getByRole('article', { name: /^Disk almost full on db-7\. Atlas Freight, disk\.full, End-to-end tests\. / }),
  ).toBeVisible();
});
