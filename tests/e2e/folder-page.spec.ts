import { expectAccessible, findingsInThemes } from './support/axe.ts';
import { expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { openMoveMenu } from './support/screen.ts';

test('full, empty and unknown, and a card’s menu: axe has nothing to say in either theme, nothing scrolls sideways', async ({
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
  for (let number = 0; number < 8; number += 1) await queue.folder(`Other ${number}`);
  const page = await openAs(mara, `/folder/${full}`);
  await expect(page.getByText('3 in this folder')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openMoveMenu(page, '🔥');
  await expect(page.getByRole('option', { name: 'Move to Other 0' })).toBeVisible();
  expect(await findingsInThemes(page)).toEqual([]);
  await page.goto(`/folder/${empty}`);
  await expect(page.getByText('Empty is empty')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/folder/unknown');
  await expect(page.getByText('Folder not found')).toBeVisible();
  await expectAccessible(page);
});
