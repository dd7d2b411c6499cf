import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import type { BulkResult } from '#backend/contract/bulk.ts';
import { choosePerson } from './support/choose-person.ts';
import { isUnloadAsked } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findDialog,
  findRow,
  findToast,
  intercept,
  json,
  openPage,
} from './support/open-page.tsx';

/** The answer to one batch of a hand-over. */
const BATCH: BulkResult = {
  changed: ['1', '2', '3'].map((id) => ({ id, status: 'accepted' })),
  unchanged: 0,
  lost: [],
};

/** Asks to disable a member, and gives their alerts to another, in three batches of which the second waits to be let. */
async function withHeldHandOver() {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const ines = await app.addMember(`Ines ${uuidv7().slice(-8)}`);
  const users = (await (await app.admin.request('GET', '/api/auth/users')).json()) as { id: string; email: string }[];
  const id = await app.post({ customer: 'Left behind' });
  const userId = users.find(({ email }) => email === mara.email)?.id;
  await app.admin.request('POST', `/api/alerts/${id}/assign`, { userId });
  const calls: string[] = [];
  const answered = Promise.withResolvers<void>();
  intercept('POST', `/api/auth/users/${userId}/hand-over`, async ({ body }) => {
    calls.push(body);
    if (calls.length > 1) await answered.promise;
    return json({ ...BATCH, ...(calls.length < 3 && { next: '3' }) });
  });
  const user = await openPage(ADMINISTRATOR, '/admin');
  await user.click(await screen.findByRole('link', { name: /^User Management/ }));
  const row = () => findRow('Users', mara.email);
  await user.click(within(await row()).getByRole('button', { name: 'Disable' }));
  const dialog = await findDialog();
  await user.click(await dialog.findByText('goes to a colleague'));
  await user.click(dialog.getByRole('button', { name: 'To' }));
  await choosePerson(user, ines.displayName);
  await user.click(dialog.getByRole('button', { name: 'Disable' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  return { user, dialog, row, calls, send: answered.resolve };
}

test('a hand-over that is canceled ends after the batch that is in flight, and says how many were handed over', async () => {
  const { user, dialog, row, calls, send } = await withHeldHandOver();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The batch in flight.
  expect(isUnloadAsked()).toBe(true);
  send();
  expect(await findToast('Hand-over stopped')).toHaveTextContent('6 alerts were handed over. Mara Lindqvist');
  await findConnected();
  expect(calls).toHaveLength(2);
  expect(await row()).toHaveTextContent('Active');
  expect(isUnloadAsked()).toBe(false);
});

test('the browser asks before a page is left whose hand-over has batches to send', async () => {
  const { calls, row, send } = await withHeldHandOver();
  expect(isUnloadAsked()).toBe(true);
  send();
  await waitFor(async () => expect(await row()).toHaveTextContent('Disabled'));
  expect(calls).toHaveLength(3);
  expect(isUnloadAsked()).toBe(false);
});

test('a hand-over whose page is left ends, too', async () => {
  const { calls, send } = await withHeldHandOver();
  history.back();
  await screen.findByRole('heading', { level: 1, name: 'Admin Panel' });
  send();
  await findToast('Hand-over stopped');
  await findConnected();
  expect(calls).toHaveLength(2);
});
