import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import { appServer, expectCards, findCard, findToast, intercept, openPage } from './support/open-page.tsx';

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
    await waitFor(() => expect(folders()).not.toContain(name));
  }
  await findToast('2 folders deleted');
  await user.keyboard('z');
  await waitFor(() => expect(folders().toSorted()).toEqual(['Later', 'Urgent']));
  expect(sent).toEqual([]);
});
