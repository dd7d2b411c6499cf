import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { memberWithQueue, openPage } from './support/open-page.tsx';

/** The page of an alert with notes of the member, the last one first. */
async function openNotes(...texts: string[]) {
  const { app, mara, queue } = await memberWithQueue();
  const id = await app.post({ title: 'Disk almost full' });
  for (const text of texts) await queue.client.request('POST', `/api/alerts/${id}/notes`, { text, mentions: [] });
  const user = await openPage(mara, `/alert/${id}`);
  const notes = within(await screen.findByRole('region', { name: 'Notes and history' }));
  const note = async (text: string) => within((await notes.findByText(text)).closest('li') as HTMLElement);
  return { user, notes, note };
}

test('a note is edited from its pencil, which has the focus again when it is saved or given up', async () => {
  const { user, note } = await openNotes('Archive cleared');
  const pencil = async () => (await note('Archive cleared')).findByRole('button', { name: 'Edit the note' });
  (await pencil()).focus();
  await user.keyboard('{Enter}');
  // What is typed at once is written.
  await user.keyboard(', e');
  const field = screen.getByRole('textbox', { name: 'Edit the note' });
  expect(field).toHaveFocus();
  expect(field).toHaveValue('Archive cleared, e');
  await user.keyboard('{Escape}');
  expect(await pencil()).toHaveFocus();
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(await pencil()).toHaveFocus();
  await user.keyboard('{Enter}');
  await user.keyboard(' twice{Control>}{Enter}{/Control}');
  const saved = await note('Archive cleared twice');
  await waitFor(() => expect(saved.getByRole('button', { name: 'Edit the note' })).toHaveFocus());
});

test('a note that is deleted leaves the focus to the next one, the last one to the field of a new one', async () => {
  const { user, notes, note } = await openNotes('First', 'Second');
  const remove = async (text: string) => {
    (await (await note(text)).findByRole('button', { name: 'Delete the note' })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(notes.queryByText(text)).toBeNull());
  };
  await remove('Second');
  expect((await note('First')).getByRole('button', { name: 'Delete the note' })).toHaveFocus();
  await remove('First');
  await waitFor(() => expect(notes.getByRole('textbox', { name: 'Add a note' })).toHaveFocus());
});
