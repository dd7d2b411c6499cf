import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import { appServer, expectCards, findCard, findToast, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
  queue = await queueOf(app, mara);
  await app.clear();
});

/** Opens the list. Resolves to its rows, newest first. */
async function openRecent(user: UserEvent): Promise<HTMLElement[]> {
  await user.click(screen.getByRole('button', { name: 'Recent notifications' }));
  return within(await screen.findByRole('dialog', { name: 'Recent notifications' })).findAllByRole('listitem');
}

const accept = async (user: UserEvent, customer: string) =>
  user.click(within(await findCard(customer)).getByRole('button', { name: 'Accept' }));

const completed = async () => within(await findCard('Atlas Freight')).getByRole('radio', { name: 'Completed' });

test('a row names its alert, leads to it, and undoes what can still be undone', async () => {
  for (const customer of ['Atlas Freight', 'Brightwater'])
    await app.post({ customer, type: 'disk.full', title: `Disk almost full at ${customer}` });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await accept(user, 'Atlas Freight');
  await findToast('Alert accepted');
  await expectCards('Brightwater');
  await accept(user, 'Brightwater');
  await findToast('2 accepted');
  await expectCards();

  const [first, last] = await openRecent(user);
  if (!first || !last) throw new Error('There are not two rows.');
  expect(first).toHaveTextContent('disk.full from Brightwater: Disk almost full at Brightwater');
  const undo = { name: /^Undo: Alert accepted, disk.full from Atlas Freight/ };
  await user.click(within(last).getByRole('button', undo));
  await waitFor(() => expect(last).toHaveTextContent('Undone'));
  await expectCards('Atlas Freight');
  await user.click(within(first).getByRole('link'));
  await waitFor(() => expect(location.pathname).toBe('/my-alerts'));
  const article = await screen.findByRole('article', { name: /Brightwater/ });
  await waitFor(() => expect(article).toHaveFocus());
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Recent notifications' })).toBeNull());
});

test('what was changed elsewhere since is not undone', async () => {
  const id = await app.post({ customer: 'Atlas Freight' });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await accept(user, 'Atlas Freight');
  await findToast('Alert accepted');
  await waitFor(async () => expect(await queue.mine()).toEqual([id]));
  await queue.setStatus(id, 'completed');
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  await user.click(main.getByRole('link', { name: /^My Alerts/ }));
  await waitFor(async () => expect(await completed()).toBeChecked());
  const [row] = await openRecent(user);
  if (!row) throw new Error('There is no row.');
  await user.click(within(row).getByRole('button', { name: /^Undo/ }));
  await findToast(/It has been changed since\./);
  expect(await completed()).toBeChecked();
});

test('a reload keeps them, and the next person does not read them', async () => {
  await app.post({ customer: 'Atlas Freight' });
  let user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await accept(user, 'Atlas Freight');
  await findToast('Alert accepted');
  user = await openPage(mara, '/', { keepsStorage: true });
  await screen.findByText('Connected');
  expect((await openRecent(user))[0]).toHaveTextContent('Alert from Atlas Freight');
  await user.keyboard('{Escape}');

  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  const next = await app.addMember('Jonas Weber');
  await user.type(await screen.findByLabelText('Email'), next.email);
  await user.type(screen.getByLabelText('Password'), next.password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByText('Connected');
  await user.click(screen.getByRole('button', { name: 'Recent notifications' }));
  const recent = await screen.findByRole('dialog', { name: 'Recent notifications' });
  expect(recent).toHaveTextContent('Nothing in the last 16 minutes');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Atlas Freight');
});
