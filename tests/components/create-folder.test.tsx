import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { appServer, findDialog, findToast, intercept, openPage } from './support/open-page.tsx';

let mara: Person;
beforeEach(async () => {
  mara = await (await appServer()).addMember('Mara Lindqvist');
});

const rows = () => within(screen.getByRole('tree', { name: 'Folders' })).getAllByRole('treeitem');
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** Opens the form by the button with the plus. */
async function openForm() {
  const user = await openPage(mara, '/');
  const plus = await screen.findByRole('button', { name: 'Create a folder' });
  await user.click(plus);
  const dialog = await findDialog();
  const name = dialog.getByLabelText<HTMLInputElement>('Folder Name');
  return { user, plus, dialog, name, submit: dialog.getByRole('button', { name: 'Create Folder' }) };
}

test('without folders there is a button for the first one, whose form has six colours and the top level', async () => {
  const user = await openPage(mara, '/');
  expect(await screen.findByText('No folders yet')).toBeVisible();
  const create = screen.getByRole('button', { name: 'Create Folder' });
  await user.click(create);
  const dialog = await findDialog();
  expect(dialog.getByText('Organize your alerts by creating custom folders with colors.')).toBeVisible();
  expect(dialog.getByLabelText('Folder Name')).toHaveFocus();
  expect(dialog.getByLabelText('Folder Name')).toHaveAttribute('placeholder', 'e.g., Urgent, Project A');
  expect(dialog.getByLabelText('Parent Folder (Optional)')).toHaveDisplayValue('None (top level)');
  const swatches = within(dialog.getByRole('group', { name: 'Color' })).getAllByRole('radio');
  const colours = ['Purple', 'Blue', 'Green', 'Yellow', 'Red', 'Pink'];
  expect(swatches).toHaveLength(colours.length);
  for (const [index, colour] of colours.entries()) expect(swatches[index]).toHaveAccessibleName(colour);
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await closed();
  await waitFor(() => expect(create).toHaveFocus());
  expect(screen.getByText('No folders yet')).toBeVisible();
});

test('a folder is created once, with a trimmed name and its colour, and the form says that it is on its way', async () => {
  const { user, plus, dialog, name, submit } = await openForm();
  expect(submit).toBeDisabled();
  await user.type(name, '   {Enter}');
  expect(submit).toBeDisabled();
  await user.type(name, 'Night shift ');
  await user.click(dialog.getByRole('radio', { name: 'Green' }));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sent: unknown[] = [];
  intercept('POST', '/api/folders', async ({ body }, go) => {
    sent.push(JSON.parse(body));
    await released;
    return go();
  });
  await user.click(submit);
  expect(await dialog.findByRole('button', { name: 'Creating...' })).toHaveAttribute('aria-disabled', 'true');
  await user.click(dialog.getByRole('button', { name: 'Creating...' }));
  expect(sent).toEqual([{ name: 'Night shift', color: 'green', icon: 'folder', order: 0 }]);
  release();
  await findToast('Folder created');
  await closed();
  await waitFor(() => expect(plus).toHaveFocus());
  const [row] = rows();
  expect(row).toHaveTextContent('Night shift');
  expect(row?.querySelector('.folder-dot__folderDot_green')).not.toBeNull();
  expect(screen.queryByText('No folders yet')).toBeNull();
});

test('a name that a sibling has is refused with the server’s sentence; the Enter that creates another opens no dialog again when it comes up', async () => {
  await (await queueOf(await appServer(), mara)).folder('Urgent');
  const { user, name } = await openForm();
  await user.type(name, 'Urgent{Enter}');
  const toast = await findToast('Error');
  expect(toast).toHaveTextContent('There is a folder named "Urgent" in the same place already.');
  expect(name).toHaveValue('Urgent');
  expect(rows()).toHaveLength(1);

  await user.clear(name);
  await user.type(name, 'Later{Enter>}');
  await closed();
  await user.keyboard('{/Enter}');
  await user.keyboard('{Tab}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await screen.findByRole('treeitem', { name: 'Later' });
});

test('the name of a folder that was just deleted is free', async () => {
  const queue = await queueOf(await appServer(), mara);
  await queue.folder('Urgent');
  const deleted = await queue.folders();
  const user = await openPage(mara, '/');
  (await screen.findByRole('treeitem', { name: 'Urgent' })).focus();
  await user.keyboard('{Delete}');
  await findToast('Folder deleted');
  await user.click(screen.getByRole('button', { name: 'Create Folder' }));
  await user.type((await findDialog()).getByLabelText('Folder Name'), 'Urgent{Enter}');
  await findToast('Folder created');
  const folders = await queue.folders();
  expect(folders.map((folder) => folder.name)).toEqual(['Urgent']);
  expect(folders).not.toEqual(deleted);
});
