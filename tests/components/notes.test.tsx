import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { sessionSchema } from '#backend/contract/session.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { ADMINISTRATOR, findCard, findConnected, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

const panel = () => within(screen.getByRole('complementary', { name: 'Alert details' }));
const timeline = () => panel().getByRole('region', { name: 'Notes and history' });
const composer = () => panel().findByRole('textbox', { name: 'Add a note' });
const newest = () => within(timeline()).getAllByRole('listitem')[0] as HTMLElement;

async function open(user: UserEvent, title: string): Promise<void> {
  await user.click(within(await findCard(title)).getByRole('link', { name: title }));
  await waitFor(() => expect(panel().getByRole('heading', { name: title })).toHaveFocus());
}

test('a note mentions a colleague, waits with its alert while it is begun, and is edited and deleted by its author', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const [, id] = [await app.post({ title: 'Second' }), await app.post({ title: 'First' })];
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  await user.type(await composer(), 'Archive cleared, see https://runbooks.example/disk. @adm');
  const people = within(await panel().findByRole('listbox', { name: 'Colleagues' }));
  expect(await people.findByRole('option', { name: /Administrator/, selected: true })).toBeVisible();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(panel().queryByRole('listbox', { name: 'Colleagues' })).toBeNull());
  const written = 'Archive cleared, see https://runbooks.example/disk. @Administrator ';
  expect(await composer()).toHaveValue(written);

  await user.click(panel().getByRole('button', { name: 'Next alert' }));
  await waitFor(async () => expect(await composer()).toHaveValue(''));
  await user.click(panel().getByRole('button', { name: 'Previous alert' }));
  await waitFor(async () => expect(await composer()).toHaveValue(written));
  (await composer()).focus();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(newest()).toHaveTextContent('Mara Lindqvist'));
  expect(within(newest()).getByRole('link')).toHaveAttribute('href', 'https://runbooks.example/disk');
  await waitFor(async () => expect(await composer()).toHaveValue(''));

  await user.click(within(newest()).getByRole('button', { name: 'Edit the note' }));
  const field = within(newest()).getByRole('textbox');
  await user.clear(field);
  await user.type(field, 'Watching it until noon');
  await user.click(within(newest()).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(newest()).toHaveTextContent('edited'));
  const { client } = await queueOf(app, ADMINISTRATOR);
  const stored = async () => (await client.request('GET', `/api/alerts/${id}/notes`)).text();
  expect(await stored()).toContain('Watching it until noon');

  await user.click(within(newest()).getByRole('button', { name: 'Delete the note' }));
  await waitFor(() => expect(timeline()).not.toHaveTextContent('Watching it'));
  const toast = await findToast(/deleted/i);
  await user.click(within(toast).getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(timeline()).toHaveTextContent('Watching it until noon'));
});

test('who is mentioned is led to the note, follows what its author makes of it, and cannot edit it', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First', customer: 'Nordwind' });
  const author = await queueOf(app, ADMINISTRATOR);
  const session = sessionSchema.parse(await (await queue.client.request('GET', '/api/auth/session')).json());
  const user = await openPage(mara, '/');
  await findConnected();
  const note = { text: 'Archive cleared @Mara Lindqvist', mentions: [session.id] };
  const made = await author.client.request('POST', `/api/alerts/${id}/notes`, note);
  const { id: noteId } = (await made.json()) as { id: string };
  const toast = await findToast(/Administrator mentioned you/);
  await user.click(within(toast).getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(location.pathname).toBe(`/alert/${id}`));
  // The toast says it, too.
  const notes = within(await screen.findByRole('region', { name: 'Notes and history' }));
  expect(await notes.findByText(/Archive cleared/)).toBeVisible();
  await author.client.request('PATCH', `/api/alerts/${id}/notes/${noteId}`, {
    text: 'Watching it until noon',
    mentions: [],
  });
  expect(await notes.findByText('Watching it until noon')).toBeVisible();
  expect(notes.queryByRole('button', { name: 'Edit the note' })).toBeNull();
});
