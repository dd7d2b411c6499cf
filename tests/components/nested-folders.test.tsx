import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { findCard, findDialog, memberWithQueue, openPage } from './support/open-page.tsx';

test('folders of the same name are found with the folders that they are in', async () => {
  const { mara, queue } = await memberWithQueue();
  for (const name of ['Payments', 'Shop']) await queue.folder('Disks', { parentId: await queue.folder(name) });
  for (const name of ['One', 'Two', 'Three', 'Four']) await queue.folder(name);
  await queue.accept({ title: 'Disk almost full', customer: 'Nordwind' });
  const user = await openPage(mara, '/my-alerts');
  await user.click(within(await findCard('Nordwind')).getByRole('button', { name: 'More actions' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to' }));
  await user.type(await screen.findByRole('combobox', { name: 'Filter folders' }), 'disk');
  const found = await screen.findAllByRole('option');
  expect(found.map(({ textContent }) => textContent)).toEqual(['Move to Disks in Payments', 'Move to Disks in Shop']);
  expect(screen.getByTitle('Shop › Disks')).toBeVisible();
  await user.keyboard('{Escape}{Escape}');
  // A menu that is still going has timers of its own.
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await user.keyboard('{Control>}k{/Control}');
  const palette = await findDialog();
  await user.type(palette.getByRole('combobox'), 'disks');
  expect(palette.getByTitle('Shop › Disks')).toHaveTextContent('Shop › Disks');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
