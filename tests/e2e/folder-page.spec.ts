import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { card, connected, folderCount, openMoveMenu, toast } from './support/screen.ts';

test('moving on to another folder shows in both', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const [here, there] = [await queue.folder('Here'), await queue.folder('There')];
  await queue.file(await queue.accept({ customer: 'One' }), here);
  const page = await openAs(mara, `/folder/${here}`);
  const other = await openAs(mara, `/folder/${there}`);
  await Promise.all([connected(page), connected(other)]);
  await openMoveMenu(page, 'One');
  await page.getByRole('menuitem', { name: 'Move to There' }).click();
  await expect(toast(page)).toContainText('Moved to There');
  await expect(page.getByText('Here is empty')).toBeVisible();
  await expect(card(other, 'One')).toBeVisible();
  await expect(folderCount(other, 'There')).toHaveText('1');
  await expect(folderCount(other, 'Here')).toHaveText('');
});

test('full, empty and unknown: axe has nothing to say in either theme, nothing scrolls sideways', async ({
  app,
  openAs,
  mara,
}) => {
  // Several looks at a whole page, each of which takes seconds on a busy machine.
  test.slow();
  const queue = await queueOf(app, mara);
  const [full, empty] = [
    await queue.folder('Rückerstattungen über 500 Euro, die noch jemand prüfen muss, und zwar bald', {
      color: 'yellow',
    }),
    await queue.folder('Empty'),
  ];
  for (const [customer, type] of [
    ['A customer with a name that is far too long for any card', 'type.with.a.long.name'],
    ['عميل', 'order'],
    ['🔥', 'disk'],
  ])
    await queue.file(await queue.accept({ customer, type, one: 1, two: 2, three: 3 }), full);
  const page = await openAs(mara, `/folder/${full}`);
  await expect(page.getByText('3 in this folder')).toBeVisible();
  await expectAccessible(page);
  await page.goto(`/folder/${empty}`);
  await expect(page.getByText('Empty is empty')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/folder/unknown');
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expectAccessible(page);
});

test('its menu: axe has nothing to say in either theme', async ({ app, openAs, mara }) => {
  const queue = await queueOf(app, mara);
  const here = await queue.folder('Here');
  for (let number = 0; number < 8; number += 1) await queue.folder(`Other ${number}`);
  await queue.file(await queue.accept({ customer: 'One' }), here);
  const page = await openAs(mara, `/folder/${here}`);
  await openMoveMenu(page, 'One');
  await expect(page.getByRole('menuitem', { name: 'Move to Other 0' })).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
});
