import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { sessionSchema } from '#backend/contract/session.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  appServer,
  expectCards,
  findCard,
  findToast,
  intercept,
  liveSockets,
  openCardMenu,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
/** The deletions that the page has sent, by path. */
let sent: string[];
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
  queue = await queueOf(app, mara);
  await app.clear();
  sent = [];
  intercept('DELETE', /^/, ({ url }, go) => {
    sent.push(url.pathname);
    return go();
  });
});

/** Opens the inbox with an alert of each customer, the last one on top. */
async function openInbox(...customers: string[]): Promise<UserEvent> {
  for (const customer of customers) await app.post({ customer });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await expectCards(...customers.toReversed());
  return user;
}

const press = async (user: UserEvent, customer: string, name: 'Accept' | 'Delete') =>
  user.click(within(await findCard(customer)).getByRole('button', { name }));
const expectNoToast = () => waitFor(() => expect(document.querySelector('.toaster__toast')).toBeNull());
const folders = () =>
  screen.queryAllByRole('treeitem').map((row) => row.querySelector('.folder-tree__name')?.textContent);
const expectInbox = (alerts: number) => waitFor(async () => expect(await app.inbox()).toHaveLength(alerts));

test('a deletion can still be undone when another result comes, and Z undoes one after the other', async () => {
  const user = await openInbox('Atlas Freight', 'Brightwater');
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  await expectCards('Brightwater');
  await press(user, 'Brightwater', 'Accept');
  await findToast('Alert accepted');
  await expectCards();

  await user.keyboard('z');
  await expectCards('Brightwater');
  await findToast('Alert deleted');
  await user.keyboard('z');
  await expectCards('Brightwater', 'Atlas Freight');
  await expectNoToast();
  expect(sent).toEqual([]);
  await expectInbox(2);
});

test('further results of a kind raise a count in one toast, and are undone as a whole', async () => {
  const user = await openInbox('Atlas Freight', 'Brightwater', 'Cobalt Labs');
  await press(user, 'Atlas Freight', 'Accept');
  expect(await findToast('Alert accepted')).toHaveTextContent('Moved to your queue');
  await press(user, 'Brightwater', 'Accept');
  await findToast('2 accepted');
  await press(user, 'Cobalt Labs', 'Accept');
  const toast = within(await findToast('3 accepted'));
  await expectInbox(0);
  await user.click(toast.getByRole('button', { name: /^Undo all/ }));
  await expectCards('Cobalt Labs', 'Brightwater', 'Atlas Freight');
  await expectInbox(3);

  await press(user, 'Brightwater', 'Accept');
  await findToast('Alert accepted');
  await press(user, 'Cobalt Labs', 'Accept');
  await findToast('2 accepted');
  await expectInbox(1);
  await user.keyboard('z');
  await expectInbox(3);
  await expectNoToast();
});

test('signing out sends a deletion that can still be undone first', async () => {
  const user = await openInbox('Atlas Freight');
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  await findToast('Logged out');
  expect(await app.inbox()).toEqual([]);
});

test('signing out does not wait for ever for the answer to a deletion, and says that it may not have been made', async () => {
  const user = await openInbox('Atlas Freight');
  const calls: string[] = [];
  intercept('DELETE', /^/, () => {
    calls.push('deletion');
    return new Promise(() => undefined);
  });
  intercept('POST', '/api/auth/logout', (_, go) => {
    calls.push('sign-out');
    return go();
  });
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  expect(await findToast('Logged out')).toHaveTextContent(
    'The last change may not have been saved. The server took too long.',
  );
  expect(calls).toEqual(['deletion', 'sign-out']);
});

test('leaving the page sends what can still be undone', async () => {
  const user = await openInbox('Atlas Freight');
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  await expectInbox(1);
  dispatchEvent(new Event('pagehide'));
  await expectInbox(0);
});

test('a deletion that fails puts the card back and says why', async () => {
  const user = await openInbox('Atlas Freight');
  intercept('DELETE', /^/, () => {
    throw new TypeError('fetch failed');
  });
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  await expectCards();
  dispatchEvent(new Event('pagehide'));
  const toast = await findToast('Could not delete the alert');
  expect(toast).toHaveTextContent('The server could not be reached');
  await expectCards('Atlas Freight');
});

test('a session that ends under a deletion leaves the alert, and says so', async () => {
  const user = await openInbox('Atlas Freight');
  await press(user, 'Atlas Freight', 'Delete');
  await findToast('Alert deleted');
  globalThis.jsdom.cookieJar.removeAllCookiesSync();
  dispatchEvent(new Event('pagehide'));
  await findToast('Could not delete the alert');
  expect(sent).toHaveLength(1);
  await expectInbox(1);
});

test('folders are deleted one by one and come back by Z', async () => {
  for (const name of ['Urgent', 'Later']) await queue.folder(name);
  const user = await openPage(mara, '/');
  for (const name of ['Urgent', 'Later']) {
    await user.click(await screen.findByRole('button', { name: `Delete folder ${name}` }));
    // Under the pointer its time stands still, and that of the folders before it.
    await findToast(/deleted$/);
    await waitFor(() => expect(folders()).not.toContain(name));
  }
  await findToast('2 folders deleted');
  await user.keyboard('z');
  await waitFor(() => expect(folders().toSorted()).toEqual(['Later', 'Urgent']));
  expect(sent).toEqual([]);
});

test('an undo that fails half-way goes on from there when it is tried again', async () => {
  const id = await queue.accept({ customer: 'Atlas Freight' });
  const folderId = await queue.folder('Storage');
  await queue.setStatus(id, 'in-progress');
  await queue.file(id, folderId);
  const user = await openPage(mara, `/folder/${folderId}`);
  await screen.findByText('Connected');
  await openCardMenu(user, 'Atlas Freight');
  await user.click(screen.getByRole('menuitem', { name: 'Unaccept' }));
  const done = await findToast('Alert unaccepted');
  await expectInbox(1);
  const restore = intercept('PATCH', /\/status$/, () => {
    throw new TypeError('fetch failed');
  });
  await user.click(within(done).getByRole('button', { name: /Undo/ }));
  const failed = await findToast(/Could not undo/);
  restore();
  await user.click(within(failed).getByRole('button', { name: 'Try again' }));
  const stored = async () => (await queue.client.request('GET', `/api/alerts/${id}`)).json();
  await waitFor(async () => expect(await stored()).toMatchObject({ status: 'in-progress', folderId }));
});

test('Undo of an accept leaves with a colleague what was given to them since, also where the page has not received that', async () => {
  const lea = await app.addMember('Lea Moreno', 'admin');
  const id = await app.post({ customer: 'Atlas Freight' });
  const user = await openPage(lea, '/');
  await screen.findByText('Connected');
  await press(user, 'Atlas Freight', 'Accept');
  const done = within(await findToast('Alert accepted'));
  liveSockets.at(-1)?.pause();
  const { id: userId } = sessionSchema.parse(await (await queue.client.request('GET', '/api/auth/session')).json());
  expect((await app.admin.request('POST', `/api/alerts/${id}/assign`, { userId })).status).toBe(200);
  await user.click(done.getByRole('button', { name: /Undo/ }));
  expect(await findToast(/Could not undo/)).toHaveTextContent('Already accepted by Mara Lindqvist.');
  const stored = await (await app.admin.request('GET', `/api/alerts/${id}`)).json();
  expect(stored).toMatchObject({ status: 'accepted', ownerId: userId });
});

test('an undo whose answer was lost after it was carried out goes on from there when it is tried again', async () => {
  const id = await queue.accept({ customer: 'Atlas Freight' });
  await queue.setStatus(id, 'in-progress');
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await openCardMenu(user, 'Atlas Freight');
  await user.click(screen.getByRole('menuitem', { name: 'Unaccept' }));
  const done = await findToast('Alert unaccepted');
  await expectInbox(1);
  const restore = intercept('POST', /\/accept$/, async (_call, go) => {
    await go();
    throw new TypeError('fetch failed');
  });
  await user.click(within(done).getByRole('button', { name: /Undo/ }));
  const failed = await findToast(/Could not undo/);
  restore();
  // With what comes after its event the page knows that the alert is hers again.
  await queue.accept({ customer: 'Brightwater' });
  await findCard('Brightwater');
  await user.click(within(failed).getByRole('button', { name: 'Try again' }));
  const stored = async () => (await queue.client.request('GET', `/api/alerts/${id}`)).json();
  await waitFor(async () => expect(await stored()).toMatchObject({ status: 'in-progress' }));
});
