import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { sessionSchema } from '#backend/contract/session.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { findConnected, memberWithQueue, openPage } from './support/open-page.tsx';

test('a colleague who was renamed since is mentioned by their new name in a note that is edited', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const id = await app.post({ title: 'First' });
  // An attempt before may have left its own.
  const renamed = `Cleo Stone${uuidv7().slice(-8)}`;
  const { client } = await queueOf(app, await app.addMember('Cleo Reyes'));
  const cleo = sessionSchema.parse(await (await client.request('GET', '/api/auth/session')).json());
  await queue.client.request('POST', `/api/alerts/${id}/notes`, { text: '@Cleo Reyes look', mentions: [cleo.id] });
  await client.request('PATCH', '/api/auth/profile', { displayName: renamed });

  const user = await openPage(mara, `/alert/${id}`);
  await findConnected();
  await user.click(await screen.findByRole('button', { name: 'Edit the note' }));
  const note = screen.getByRole('button', { name: 'Save' }).closest('li') as HTMLElement;
  const field = within(note).getByRole('textbox');
  await user.clear(field);
  await user.type(field, 'Please look, @cleo');
  await user.click(await screen.findByRole('option', { name: new RegExp(renamed) }));
  await user.click(within(note).getByRole('button', { name: 'Save' }));
  const stored = async () => (await queue.client.request('GET', `/api/alerts/${id}/notes`)).json();
  const expected = { text: `Please look, @${renamed}`, mentions: [{ id: cleo.id, name: renamed }] };
  await waitFor(async () => expect(await stored()).toMatchObject([expected]));
});
