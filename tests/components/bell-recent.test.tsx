import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  expectCards,
  findCard,
  findConnected,
  findToast,
  findings,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
});

/** Opens the bell at Recent. */
async function openRecent(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: /^For you/ }));
  const bell = within(await screen.findByRole('dialog', { name: 'For you' }));
  await user.click(await bell.findByRole('radio', { name: 'Recent' }));
  return bell;
}
/** Opens it where it has something. Resolves to its rows, newest first. */
const openRows = async (user: UserEvent): Promise<HTMLElement[]> => (await openRecent(user)).findAllByRole('listitem');
const accept = async (user: UserEvent, customer: string) =>
  user.click(within(await findCard(customer)).getByRole('button', { name: 'Accept' }));
const completed = async () => within(await findCard('Atlas Freight')).getByRole('radio', { name: 'Completed' });
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'For you' })).toBeNull());

/** Mara has accepted an alert of each, in this order. */
async function openAfterAccepting(...customers: string[]): Promise<UserEvent> {
  for (const customer of customers)
    await app.post({ customer, type: 'disk.full', title: `Disk almost full at ${customer}` });
  const user = await openPage(mara, '/');
  await findConnected();
  for (const [at, customer] of customers.entries()) {
    await accept(user, customer);
    // One after the other: what is answered first is the older row.
    await findToast(at === 0 ? 'Alert accepted' : `${at + 1} accepted`);
  }
  await expectCards();
  return user;
}

test('a row of Recent names its alert, leads to it, and undoes what can still be undone', async () => {
  const user = await openAfterAccepting('Atlas Freight', 'Brightwater');
  const [first, last] = await openRows(user);
  if (!first || !last) throw new Error('There are not two rows.');
  expect(first).toHaveTextContent('disk.full from Brightwater: Disk almost full at Brightwater');
  expect(await findings()).toEqual([]);
  const undo = { name: /^Undo: Alert accepted, disk.full from Atlas Freight/ };
  await user.click(within(last).getByRole('button', undo));
  await waitFor(() => expect(last).toHaveTextContent('Undone'));
  expect(last).toHaveFocus();
  expect(within(last).queryByRole('button')).toBeNull();
  await expectCards('Atlas Freight');
  await user.keyboard('{ArrowUp}{ArrowUp}');
  expect(within(first).getByRole('link')).toHaveFocus();
  await user.keyboard('{End}');
  expect(within(last).getByRole('link')).toHaveFocus();
  await user.keyboard('{Home}{Enter}');
  await expectClosed();
  const details = within(await screen.findByRole('complementary', { name: 'Alert details' }));
  expect((await details.findAllByText('Disk almost full at Brightwater'))[0]).toBeVisible();
  expect(location.pathname).toMatch(/^\/alert\//);
});

test('what comes while Recent is open waits in a button, and no row moves', async () => {
  const user = await openAfterAccepting('Atlas Freight');
  const bell = await openRecent(user);
  expect(await bell.findAllByRole('listitem')).toHaveLength(1);
  intercept('POST', /\/unaccept$/, () => refusal(503, 'The database is away.'));
  await user.click(bell.getByRole('button', { name: /^Undo/ }));
  await findToast(/The database is away\./);
  const news = await bell.findByRole('button', { name: '1 new' });
  expect(bell.getAllByRole('listitem')).toHaveLength(1);
  expect(bell.getByRole('button', { name: /^Undo/ })).toBeVisible();
  await user.click(news);
  const [first, ...others] = bell.getAllByRole('listitem');
  expect(others).toHaveLength(1);
  expect(first).toHaveTextContent('The database is away.');
  expect(first).toContainElement(document.activeElement as HTMLElement);
});

test('what was changed elsewhere since is not undone from Recent', async () => {
  const user = await openAfterAccepting('Atlas Freight');
  const [id = ''] = await queue.mine();
  await queue.setStatus(id, 'completed');
  const main = within(screen.getByRole('navigation', { name: 'Main' }));
  await user.click(main.getByRole('link', { name: /^My Alerts/ }));
  await user.click(await screen.findByRole('button', { name: /^Completed/ }));
  await waitFor(async () => expect(await completed()).toBeChecked());
  const [row] = await openRows(user);
  if (!row) throw new Error('There is no row.');
  await user.click(within(row).getByRole('button', { name: /^Undo/ }));
  await findToast(/It has been changed since\./);
  expect(row).not.toHaveTextContent('Undone');
  expect(within(row).queryByRole('button')).toBeNull();
  expect(await completed()).toBeChecked();
});

test('of many that were changed together those are not undone that a colleague has by now', async () => {
  const ben = await queueOf(app, await app.addMember('Ben Oduya'));
  const ids = [await app.post({ customer: 'Atlas Freight' }), await app.post({ customer: 'Brightwater' })];
  const user = await openPage(ADMINISTRATOR, '/');
  await findConnected();
  await user.keyboard('{Control>}a{/Control}a');
  await findToast('2 accepted');
  await expectCards();
  await app.admin.request('POST', `/api/alerts/${ids[0]}/unaccept`);
  await expectCards('Atlas Freight');
  await ben.client.request('POST', `/api/alerts/${ids[0]}/accept`);
  await expectCards();
  const sent: string[] = [];
  intercept('POST', '/api/alerts/bulk', ({ body }, go) => {
    sent.push(body);
    return go();
  });
  const [row] = await openRows(user);
  if (!row) throw new Error('There is no row.');
  await user.click(within(row).getByRole('button', { name: /^Undo/ }));
  const toast = await findToast(/^1 was changed since\.$/);
  await expectCards('Brightwater');
  // There is nothing left to be tried again.
  expect(within(toast).queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(within(row).queryByRole('button')).toBeNull();
  expect(row).not.toHaveTextContent('Undone');
  expect(await ben.mine()).toEqual([ids[0]]);
  const { id: me } = (await (await app.admin.request('GET', '/api/auth/session')).json()) as { id: string };
  expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([{ action: 'unaccept', ifOwner: me, ids: [ids[1]] }]);
});

test('a reload keeps Recent, and the next person does not read it', async () => {
  let user = await openAfterAccepting('Atlas Freight');
  await waitFor(() => expect(JSON.stringify({ ...sessionStorage })).toContain('Atlas Freight'));
  user = await openPage(mara, '/', { keepsStorage: true });
  await findConnected();
  const [row] = await openRows(user);
  expect(row).toHaveTextContent('disk.full from Atlas Freight');
  expect(within(row as HTMLElement).queryByRole('button')).toBeNull();
  await user.keyboard('{Escape}');
  await expectClosed();

  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  const next = await app.addMember('Jonas Weber');
  await user.type(await screen.findByLabelText('Email'), next.email);
  await user.type(screen.getByLabelText('Password'), next.password);
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await findConnected();
  const bell = await openRecent(user);
  await bell.findByText('Nothing in the last 16 minutes');
  expect(bell.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Atlas Freight');
});
