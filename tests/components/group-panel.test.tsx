import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { alertGroupDetailsSchema } from '#backend/contract/alert-group.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findConnected,
  findToast,
  findings,
  intercept,
  json,
  openPage,
} from './support/open-page.tsx';
import { withGroup } from './support/with-group.ts';

const heading = (name: string) => screen.findByRole('heading', { level: 2, name });

test('J and K go through the rows of the list and through the alerts of a group, also from an open group', async () => {
  await withGroup();
  const user = await openPage(ADMINISTRATOR, '/');
  const group = await findCard('3 alerts');
  await user.click(within(group).getByRole('link'));
  expect(await heading('Cart is slow')).toHaveFocus();
  const bar = within(screen.getByRole('complementary', { name: 'Group of alerts' }));
  expect(bar.getByText('2 of 3')).toBeVisible();
  expect(bar.getByRole('button', { name: 'Copy link' })).toBeVisible();

  await user.keyboard('j');
  expect(await heading('Disk is full')).toHaveFocus();
  expect(screen.getByText('3 of 3')).toBeVisible();
  await user.keyboard('k');
  expect(await heading('Cart is slow')).toHaveFocus();
  await user.keyboard('k');
  expect(await heading('Load is high')).toHaveFocus();
  expect(screen.getByText('1 of 3')).toBeVisible();

  await user.keyboard('j');
  expect(await heading('Cart is slow')).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(screen.getByRole('listitem', { name: 'Checkout answers 502' })).toHaveFocus();
  await user.keyboard('{ArrowUp}{ArrowDown}{Enter}');
  expect(await heading('Checkout answers 502')).toHaveFocus();
  await waitFor(() => expect(screen.getByText('2 of 3')).toBeVisible());
  await user.keyboard('j');
  expect(await heading('Cart is slow')).toHaveFocus();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(location.pathname).toBe('/'));
});

test('a link to a group opens it on a page of its own, with its alerts inside', async () => {
  const app = await withGroup();
  const alert = (await app.inbox()).find(({ customer }) => customer === 'Nordwind');
  const user = await openPage(ADMINISTRATOR, `/alert/${alert?.groupId}`);
  const members = within(await screen.findByRole('region', { name: 'Alerts of the group' }));
  expect(members.getAllByRole('listitem')).toHaveLength(3);
  expect(await screen.findByRole('heading', { level: 1, name: /^Group of alerts/ })).toBeVisible();
  expect(await findings()).toEqual([]);
  (await screen.findByRole('button', { name: /^Accept 3/ })).focus();
  await user.keyboard('{Enter}');
  await findToast('3 accepted');
  await waitFor(async () => expect(await app.inbox()).toHaveLength(2));
  expect(await heading('Cart is slow')).toHaveFocus();
  // It is in another list now, and still open.
  expect(members.getAllByRole('listitem')).toHaveLength(3);
});

test('who accepts an alert of a group goes on among the others of the group', async () => {
  await withGroup();
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(within(await findCard('3 alerts')).getByRole('link'));
  await user.click(await screen.findByRole('link', { name: 'Checkout answers 502' }));
  expect(await heading('Checkout answers 502')).toHaveFocus();
  await waitFor(() => expect(screen.getByText('2 of 3')).toBeVisible());
  await user.keyboard('a');
  await findCard('2 alerts');
  await user.keyboard('j');
  expect(await heading('Cart is slow')).toHaveFocus();
  expect(screen.getByText('2 of 2')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(location.pathname).toBe('/'));
});

/** The members of the group on its page, as they are drawn now. */
const members = async () =>
  within(await screen.findByRole('region', { name: 'Alerts of the group' })).getAllByRole('listitem');

test('a group on its page shows that it is looked for, answers to its keys, and ends with its last alert', async () => {
  const app = await withGroup();
  const alert = (await app.inbox()).find(({ customer }) => customer === 'Nordwind');
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  intercept('GET', `/api/alert-groups/${alert?.groupId}`, async (_call, go) => {
    asked.resolve();
    await answer.promise;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/alert/${alert?.groupId}`);
  await asked.promise;
  expect(await screen.findByText('Loading the alert…')).toBeInTheDocument();
  answer.resolve();
  await screen.findByRole('button', { name: /^Accept 3/ });
  (await members())[0]?.focus();
  await user.keyboard('o');
  await findToast('Alert taken out of its group');
  await waitFor(async () => expect(await members()).toHaveLength(2));
  await app.clear();
  expect(await screen.findByText('Alert not found')).toBeVisible();
  expect(await screen.findByRole('heading', { level: 1, name: /^Alert/ })).toBeVisible();
});

test('a group on its page keeps its focus and its buttons while it is asked again whether the link is an alert’s', async () => {
  const app = await withGroup();
  const { groupId } = (await app.inbox()).find(({ customer }) => customer === 'Nordwind') ?? {};
  const queue = await queueOf(app, ADMINISTRATOR);
  const folder = await queue.folder(`Short-lived ${crypto.randomUUID()}`);
  const deleteFolder = () => queue.client.request('DELETE', `/api/folders/${folder}`);
  onTestFinished(async () => void (await deleteFolder()));
  await queue.file(await queue.accept({ title: 'Certificate ends' }), folder);
  const user = await openPage(ADMINISTRATOR, `/alert/${groupId}`);
  const accept = await screen.findByRole('button', { name: /^Accept 3/ });
  await findConnected();
  const [worst, second] = await members();
  worst?.focus();
  await user.keyboard('o');
  await findToast('Alert taken out of its group');
  await waitFor(() => expect(second).toHaveFocus());
  await waitFor(() => expect(accept).toHaveAccessibleName(/^Accept 2/));

  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  let isDeleted = false;
  intercept('GET', `/api/alerts/${groupId}`, async (_call, go) => {
    // The greeting has it read again, too, some time later.
    if (!isDeleted) return go();
    asked.resolve();
    await answer.promise;
    return go();
  });
  isDeleted = true;
  await deleteFolder();
  await asked.promise;
  expect(second).toHaveFocus();
  expect(accept).toBeVisible();
  answer.resolve();
  await findConnected();
  expect(second).toHaveFocus();
});

test('a group in Snoozed is brought back by key, and has a button for it beside its list', async () => {
  const app = await withGroup();
  const group = (await app.inbox()).filter(({ customer }) => customer === 'Nordwind');
  const snoozeAll = () =>
    Promise.all(group.map(({ id }) => app.admin.request('POST', `/api/alerts/${id}/snooze`, { minutes: 60 })));
  await snoozeAll();
  const user = await openPage(ADMINISTRATOR, '/snoozed');
  await findCard('3 alerts');
  await user.keyboard('jw');
  await findToast('3 woken');
  expect(await screen.findByText('Nothing is snoozed')).toBeVisible();
  await waitFor(async () => expect(await app.inbox()).toHaveLength(5));

  await snoozeAll();
  await user.click(within(await findCard('3 alerts')).getByRole('link'));
  const panel = within(await screen.findByRole('complementary', { name: 'Group of alerts' }));
  await user.click(await panel.findByRole('button', { name: /^Unsnooze/ }));
  await waitFor(async () => expect(await app.inbox()).toHaveLength(5));
});

test('a link to what is neither an alert nor a group says so', async () => {
  await appServer();
  await openPage(ADMINISTRATOR, `/alert/${crypto.randomUUID()}`);
  expect(await screen.findByText('Alert not found')).toBeVisible();
});

const groupRow = async () => (await findCard('3 alerts')).closest('article');

test('an alert of a group is found in the group’s card: by a link, and when it is closed', async () => {
  const app = await withGroup();
  const alert = (await app.inbox()).find(({ title }) => title === 'Checkout answers 502');
  const user = await openPage(ADMINISTRATOR, `/?alert=${alert?.id}`);
  await waitFor(async () => expect(await groupRow()).toHaveFocus());
  await user.keyboard('{Enter}');
  await heading('Cart is slow');
  await user.click(await screen.findByRole('link', { name: 'Checkout answers 502' }));
  expect(await heading('Checkout answers 502')).toHaveFocus();
  await user.keyboard('{Escape}');
  await waitFor(async () => expect(await groupRow()).toHaveFocus());
  expect(location.pathname).toBe('/');
});

test('an open group shows how its alerts stand as the list knows it, also before it is read again', async () => {
  await withGroup();
  intercept('GET', /^\/api\/alert-groups\/./, async (_call, go) => {
    const group = alertGroupDetailsSchema.parse(await (await go()).json());
    for (const member of group.members) member.state = 'acknowledged';
    return json(group);
  });
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(within(await findCard('3 alerts')).getByRole('link'));
  const [first] = await members();
  expect(first?.querySelector('[data-tip^="High"]')).toHaveAttribute('data-tip', 'High');
});
