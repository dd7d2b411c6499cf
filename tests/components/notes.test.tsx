import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { noteListSchema } from '#backend/contract/note.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  findCard,
  findConnected,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';
import { bePhone } from './support/phone.ts';

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

test('a note mentions the colleague whom it names, not one who was picked before and whose name is the beginning', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  for (const name of ['Wiebke', 'Wiebke Thoms']) await app.addMember(name);
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  const pick = async (typed: string, name: RegExp) => {
    await user.type(await composer(), typed);
    const [option] = await panel().findAllByRole('option', { name });
    await user.click(option as HTMLElement);
  };
  await pick('@Wieb', /Wiebke(?! Thoms)/);
  await pick('{Backspace>3/}', /Wiebke Thoms/);
  expect(await composer()).toHaveValue('@Wiebke Thoms ');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(newest()).toHaveTextContent('@Wiebke Thoms'));
  const [note] = noteListSchema.parse(await (await queue.client.request('GET', `/api/alerts/${id}/notes`)).json());
  expect(note?.mentions.map(({ name }) => name)).toEqual(['Wiebke Thoms']);
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

test('a note that is stored after its alert was left and opened again is no draft there', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const [, id] = [await app.post({ title: 'Second' }), await app.post({ title: 'First' })];
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('POST', `/api/alerts/${id}/notes`, async (_call, go) => {
    await isReleased;
    return go();
  });
  await user.type(await composer(), 'Disk replaced.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.click(panel().getByRole('button', { name: 'Next alert' }));
  await waitFor(async () => expect(await composer()).toHaveValue(''));
  await user.click(panel().getByRole('button', { name: 'Previous alert' }));
  await waitFor(async () => expect(await composer()).toHaveValue('Disk replaced.'));
  release();
  await waitFor(() => expect(newest()).toHaveTextContent('Disk replaced.'));
  await waitFor(async () => expect(await composer()).toHaveValue(''));
});

test('what is written while a note is saved stays, and a note that is stored is no draft, whatever is read after it', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const stop = intercept('POST', /\/notes$/, async (_call, go) => {
    await isReleased;
    return go();
  });
  const field = await composer();
  await user.type(field, 'Disk replaced.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.type(field, ' Restoring the volume now');
  // What is read after the note is stored hangs.
  intercept('GET', new RegExp(id), () => new Promise<Response>(() => undefined));
  release();
  await waitFor(() => expect(field).toHaveValue('Restoring the volume now'));
  expect(newest()).toHaveTextContent('Disk replaced.');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(newest()).toHaveTextContent('Restoring the volume now'));
  expect(field).toHaveValue('');
  stop();
  const { client } = await queueOf(app, ADMINISTRATOR);
  const stored = noteListSchema.parse(await (await client.request('GET', `/api/alerts/${id}/notes`)).json());
  expect(stored.map(({ text }) => text)).toEqual(['Restoring the volume now', 'Disk replaced.']);

  await user.click(within(newest()).getByRole('button', { name: 'Edit the note' }));
  const edited = within(newest()).getByRole('textbox');
  const { promise: isSaved, resolve: answer } = Promise.withResolvers<void>();
  intercept('PATCH', /\/notes\//, async (_call, go) => {
    await isSaved;
    return go();
  });
  await user.type(edited, ', until noon');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.type(edited, ' or later');
  answer();
  await waitFor(() => expect(within(newest()).getByRole('button', { name: 'Save' })).toBeEnabled());
  expect(within(newest()).getByRole('textbox')).toHaveValue('Restoring the volume now, until noon or later');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(within(newest()).queryByRole('textbox')).toBeNull());
  await waitFor(() => expect(newest()).toHaveTextContent('Restoring the volume now, until noon or later'));
});

test('a word that only begins as a note that is stored stays whole', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('POST', `/api/alerts/${id}/notes`, async (_call, go) => {
    await isReleased;
    return go();
  });
  const field = await composer();
  await user.type(field, 'ok');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await user.type(field, 'ay, restarting db-7');
  release();
  await waitFor(() => expect(newest()).toHaveTextContent(/Mara Lindqvist.*ok$/));
  await findConnected();
  expect(field).toHaveValue('okay, restarting db-7');
});

test('a note that is being edited waits with its alert, as it was written, until it is saved or given up', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const [, id] = [await app.post({ title: 'Second' }), await app.post({ title: 'First' })];
  const path = `/api/alerts/${id}/notes`;
  await queue.client.request('POST', path, { text: 'Archive cleared', mentions: [] });
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'First');
  const edit = () => panel().findByRole('textbox', { name: 'Edit the note' });
  const leaveAndReturn = async () => {
    await user.click(panel().getByRole('button', { name: 'Next alert' }));
    await panel().findByRole('heading', { name: 'Second' });
    expect(panel().queryByRole('textbox', { name: 'Edit the note' })).toBeNull();
    await user.click(panel().getByRole('button', { name: 'Previous alert' }));
    await panel().findByRole('heading', { name: 'First' });
  };
  await user.click(await panel().findByRole('button', { name: 'Edit the note' }));
  await user.clear(await edit());
  await leaveAndReturn();
  expect(await edit()).toHaveValue('');
  await user.type(await edit(), 'Watching it');
  await leaveAndReturn();
  expect(await edit()).toHaveValue('Watching it');
  expect(await composer()).toHaveValue('');

  // The alert is left while it is saved.
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('PATCH', /\/notes\//, async (_call, go) => {
    await isReleased;
    return go();
  });
  (await edit()).focus();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await leaveAndReturn();
  expect(await edit()).toHaveValue('Watching it');
  release();
  await waitFor(() => expect(newest()).toHaveTextContent('Watching it'));
  await waitFor(() => expect(within(newest()).queryByRole('textbox')).toBeNull());

  await user.click(within(newest()).getByRole('button', { name: 'Edit the note' }));
  await user.type(await edit(), ' until noon{Escape}');
  await leaveAndReturn();
  await waitFor(() => expect(newest()).toHaveTextContent('Watching it'));
  expect(within(newest()).queryByRole('textbox')).toBeNull();
});

test('on a phone, a note that is being edited stays while the fields of the alert are looked at', async () => {
  bePhone();
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  await queue.client.request('POST', `/api/alerts/${id}/notes`, { text: 'Archive cleared', mentions: [] });
  const user = await openPage(mara, `/alert/${id}`);
  await user.click(await screen.findByRole('tab', { name: /^Notes/ }));
  await user.click(await screen.findByRole('button', { name: 'Edit the note' }));
  await user.type(screen.getByRole('textbox', { name: 'Edit the note' }), ' on db-7');
  await user.click(screen.getByRole('tab', { name: /^Fields/ }));
  expect(screen.queryByRole('textbox', { name: 'Edit the note' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: /^Notes/ }));
  expect(await screen.findByRole('textbox', { name: 'Edit the note' })).toHaveValue('Archive cleared on db-7');
});

test('what was begun on an alert stays to be copied when a colleague deletes the alert', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const [, id] = [await app.post({ title: 'Stays' }), await app.post({ title: 'Goes' })];
  await queue.client.request('POST', `/api/alerts/${id}/notes`, { text: 'First attempt', mentions: [] });
  const user = await openPage(mara, '/');
  await findConnected();
  await open(user, 'Goes');
  await user.click(await panel().findByRole('button', { name: 'Edit the note' }));
  const edited = within(newest()).getByRole('textbox');
  await user.clear(edited);
  await user.type(edited, 'Second attempt');
  const field = await composer();
  await user.type(field, 'Disk was replaced at noon');
  await app.admin.request('DELETE', `/api/webhooks/${id}`);
  expect(await panel().findByText('This alert was deleted.')).toBeVisible();
  expect(field).toHaveFocus();
  await user.type(field, ' and more{Control>}{Enter}{/Control}{Escape}');
  expect(field).toHaveValue('Disk was replaced at noon');
  expect(edited).toHaveValue('Second attempt');
  expect(panel().queryByRole('button', { name: 'Add note' })).toBeNull();
  const [copy] = panel().getAllByRole('button', { name: 'Copy note' });
  await user.click(copy as HTMLElement);
  expect(await findToast(/Copied/)).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('Disk was replaced at noon');
  const [discard] = panel().getAllByRole('button', { name: 'Discard' });
  await user.click(discard as HTMLElement);
  await waitFor(() => expect(panel().queryByDisplayValue('Disk was replaced at noon')).toBeNull());
});
