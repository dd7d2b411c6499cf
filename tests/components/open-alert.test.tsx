import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findConnected,
  findDialog,
  intercept,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

const openPanel = () => within(screen.getByRole('complementary', { name: 'Alert details' }));

test('an answer from before a deletion does not bring the open alert back', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const id = await app.post({ title: 'Deleted while it is read' });
  const answered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  intercept('GET', `/api/alerts/${id}`, async (_call, go) => {
    const answer = await go();
    answered.resolve();
    await released.promise;
    setTimeout(arrived.resolve);
    return answer;
  });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  const card = await findCard('Deleted while it is read');
  await user.click(within(card).getByRole('link', { name: 'Deleted while it is read' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Alert details' }));
  await answered.promise;

  const { client } = await queueOf(app, ADMINISTRATOR);
  await client.request('DELETE', `/api/webhooks/${id}`);
  expect(await panel.findByText('This alert was deleted.')).toBeVisible();
  released.resolve();
  await arrived.promise;
  await new Promise((resolve) => setTimeout(resolve));
  expect(panel.getByText('This alert was deleted.')).toBeVisible();
});

test('the open alert follows what happens: a colleague takes it, and it is deleted', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const [taken, deleted] = [await app.post({ title: 'Taken' }), await app.post({ title: 'Deleted' })];
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  const open = async (title: string) => {
    await user.click(within(await findCard(title)).getByRole('link', { name: title }));
    await waitFor(() => expect(openPanel().getByRole('heading', { name: title })).toHaveFocus());
  };
  const findStatus = (text: string) =>
    waitFor(() =>
      expect(
        openPanel()
          .getAllByRole('status')
          .map(({ textContent }) => textContent),
      ).toContainEqual(expect.stringContaining(text)),
    );
  await open('Taken');
  await app.admin.request('POST', `/api/alerts/${taken}/accept`);
  await findStatus('Accepted by Administrator.');
  expect(openPanel().queryByRole('button', { name: 'Accept' })).toBeNull();

  await open('Deleted');
  await app.admin.request('DELETE', `/api/webhooks/${deleted}`);
  await findStatus('This alert was deleted.');
});

test('the link to an alert that was resolved before anyone accepted it says so', async () => {
  const { app, mara } = await memberWithQueue();
  const report = (status: 'firing' | 'resolved') =>
    app.post({
      version: '4',
      groupKey: '{}:{}',
      truncatedAlerts: 0,
      status,
      receiver: 'alertdesk',
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: 'https://alertmanager.example',
      alerts: [
        {
          status,
          labels: { alertname: 'HostOutOfDiskSpace', severity: 'warning' },
          annotations: { summary: 'Disk almost full' },
          startsAt: '2026-11-21T09:00:00.000Z',
          endsAt: '0001-01-01T00:00:00Z',
          generatorURL: 'https://prometheus.example/graph',
          fingerprint: 'db-7',
        },
      ],
    });
  const id = await report('firing');
  await report('resolved');
  await openPage(mara, `/alert/${id}`);
  expect(await screen.findByText('This alert was completed before anyone accepted it.')).toBeVisible();
});

test('the key of a move opens the menu of the open alert, not of the card that the list is at', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await queue.folder('Urgent');
  await app.post({ title: 'Open' });
  const user = await openPage(mara, '/');
  await findConnected();
  await user.click(within(await findCard('Open')).getByRole('link', { name: 'Open' }));
  await waitFor(() => expect(openPanel().getByRole('heading', { name: 'Open' })).toHaveFocus());
  await user.keyboard('m');
  const menu = within(await screen.findByRole('menu', { name: 'Alert actions' }));
  expect(menu.getByRole('menuitem', { name: /^Move/ })).toBeVisible();
  expect(openPanel().getByRole('button', { name: 'More actions', expanded: true })).toBeVisible();
});

test('the keys with which a word is composed choose no colleague, save nothing and leave the note', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ title: 'Noted' });
  const user = await openPage(mara, '/');
  await user.click(within(await findCard('Noted')).getByRole('link', { name: 'Noted' }));
  const field = await screen.findByRole('textbox', { name: 'Add a note' });
  await user.type(field, '@Adm');
  expect(await screen.findByRole('option', { name: /Administrator/, selected: true })).toBeVisible();
  for (const [key, modifiers] of [
    ['Enter', {}],
    ['Enter', { ctrlKey: true }],
    ['Tab', {}],
    ['Escape', {}],
  ] as const) {
    fireEvent.keyDown(field, { key, isComposing: true, ...modifiers });
    fireEvent.keyDown(field, { key, keyCode: 229, ...modifiers });
  }
  expect(field).toHaveValue('@Adm');
  expect(screen.getByRole('listbox', { name: 'Colleagues' })).toBeVisible();
  await user.keyboard('{Enter}');
  expect(field).toHaveValue('@Administrator ');
});

test('the keys of what is only in its menu are about the open alert, too', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  for (const title of ['Stays', 'Goes']) await app.post({ title });
  const user = await openPage(mara, '/');
  await findConnected();
  await user.click(within(await findCard('Goes')).getByRole('link', { name: 'Goes' }));
  await waitFor(() => expect(openPanel().getByRole('heading', { name: 'Goes' })).toHaveFocus());
  await user.keyboard('#');
  await waitFor(() => expect(openPanel().getByRole('heading', { name: 'Stays' })).toHaveFocus());
  expect(await screen.findByText('Alert deleted')).toBeVisible();
});

test('the buttons of the open alert say which alert they are about', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  for (const title of ['Another', 'Disk almost full']) await app.post({ title });
  const user = await openPage(mara, '/');
  await findConnected();
  await user.click(within(await findCard('Disk almost full')).getByRole('link', { name: 'Disk almost full' }));
  await waitFor(() => expect(openPanel().getByRole('heading', { name: 'Disk almost full' })).toHaveFocus());
  for (const name of ['Accept and start', /^Mute/, /^Snooze/, 'More actions'])
    expect(openPanel().getByRole('button', { name })).toHaveAccessibleDescription('Disk almost full');
  await user.keyboard('a');
  expect(await screen.findByRole('radiogroup', { name: 'Status' })).toHaveAccessibleDescription('Disk almost full');
});

/** Opens an alert of the inbox as a page of its own. */
async function openOwnPage() {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await queue.folder('There');
  const id = await app.post({ title: 'By its address', customer: 'Nordwind' });
  // Where the page before had opened an alert, its entry says beside which list.
  history.replaceState(null, '');
  const user = await openPage(mara, `/alert/${id}`);
  await screen.findByRole('heading', { name: 'By its address' });
  await findConnected();
  return { app, user };
}

test('the page of an alert has the keys that its buttons and its menu show, and says what has no use on it', async () => {
  const { user } = await openOwnPage();
  const entries = window.history.length;
  await user.keyboard('c');
  expect(await screen.findByRole('textbox', { name: 'Add a note' })).toHaveFocus();
  expect(window.history).toHaveLength(entries);
  await user.keyboard('{Escape}');
  (document.activeElement as HTMLElement).blur();
  await user.keyboard('h');
  expect((await findDialog()).getByRole('heading', { name: /history/i })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.keyboard('m');
  expect(await screen.findByRole('menuitem', { name: /^Move to/ })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu', { hidden: true })).toBeNull());
  await user.keyboard('u');
  expect(await screen.findByText(/^There is nothing to .* here\.$/)).toBeVisible();
  await user.keyboard('a');
  await screen.findByText('Alert accepted');
  expect(await screen.findByRole('radio', { name: 'Accepted' })).toBeChecked();
  await user.keyboard('2');
  await waitFor(() => expect(screen.getByRole('radio', { name: 'In Progress' })).toBeChecked());
});

test('Delete by its key leads from the page of an alert to the inbox', async () => {
  const { user } = await openOwnPage();
  await user.keyboard('#');
  expect(await screen.findByRole('heading', { name: 'New Alerts' })).toBeVisible();
  expect(await screen.findByText('Alert deleted')).toBeVisible();
});

test('without single keys the page of an alert has none', async () => {
  const { user } = await openOwnPage();
  const accept = screen.getByRole('button', { name: 'Accept' });
  // As another tab says it.
  const change = { key: 'single-keys-enabled', newValue: 'false', storageArea: localStorage };
  fireEvent(window, new StorageEvent('storage', change));
  await waitFor(() => expect(accept).not.toHaveAttribute('aria-keyshortcuts'));
  await user.keyboard('ac');
  expect(screen.queryByText('Alert accepted')).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Add a note' })).not.toHaveFocus();
  expect(accept).toBeVisible();
});
