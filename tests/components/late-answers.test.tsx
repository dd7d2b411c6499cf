import { screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { viewSchema } from '#backend/contract/view.ts';
import { makeHeartbeat } from '#tests/e2e/support/sources.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { hold } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findConnected,
  findDialog,
  findToast,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';
import { nameForWindow } from './support/window-form.ts';

beforeEach(async () => deleteOutgoing(await appServer()));
afterAll(async () => deleteOutgoing(await appServer()));

/** A new group that is being created until the returned function is called. */
async function createGroup(answer?: () => Response) {
  const release = hold('POST', '/api/outgoing/groups', answer);
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/groups/new');
  const name = await screen.findByLabelText('Name');
  await user.type(name, 'Night watch');
  await user.click(screen.getByRole('button', { name: 'Save group' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save group' })).toBeDisabled());
  const goAway = async () => {
    await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
    return within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  };
  const leave = async () => {
    await user.click((await goAway()).getByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(location.pathname).toBe('/my-alerts'));
  };
  return { user, name, release, goAway, leave };
}

test('who leaves while something new is created is asked, stays where they went, and reads that it is there', async () => {
  const { release, leave } = await createGroup();
  await leave();
  release();
  expect(await findToast('Group saved')).toHaveTextContent('Night watch');
  expect(location.pathname).toBe('/my-alerts');
});

test('who leaves while something new is created reads why it was not', async () => {
  const { release, leave } = await createGroup(() => refusal(503, 'The database is away.'));
  await leave();
  release();
  expect(await findToast('“Night watch” was not created')).toHaveTextContent('The database is away.');
});

test('something new is shown once it was created, as it was sent, also to who is being asked about leaving', async () => {
  const { user, name, release, goAway } = await createGroup();
  await user.type(name, ' two');
  expect(name).toHaveValue('Night watch');
  await goAway();
  release();
  await screen.findByRole('heading', { level: 1, name: 'Night watch' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(location.pathname).toMatch(/^\/admin\/outgoing\/groups\/[\da-f-]{36}$/);
});

test('something new that could not be created stays to be changed', async () => {
  const { user, name, release } = await createGroup(() => refusal(422, 'A group of that name exists.'));
  release();
  await screen.findByText('A group of that name exists.');
  await user.type(name, ' two');
  expect(name).toHaveValue('Night watch two');
});

test('a view that was saved after its dialog was closed is in the sidebar, and leads nobody away', async () => {
  const { mara } = await memberWithQueue();
  const user = await openPage(mara, '/?search=disk');
  await findConnected();
  const release = hold('POST', '/api/views');
  await user.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = await findDialog();
  await user.type(dialog.getByLabelText('Name'), 'Disks');
  await user.click(dialog.getByRole('button', { name: 'Save View' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  release();
  await within(screen.getByRole('region', { name: 'Views' })).findByRole('link', { name: /^Disks/ });
  expect(location.pathname).toBe('/');
});

/** The details of the alert that is open beside the list. */
const findDetails = () => screen.findByRole('complementary', { name: 'Alert details' });

/**
 * The page of a view of the inbox whose filter is being saved until the returned function is called.
 *
 * @param title of a critical alert that is open beside the view then
 */
async function saveFilter(title?: string) {
  const { app, mara, queue } = await memberWithQueue();
  if (title !== undefined) await app.post({ title, severity: 'critical' });
  const made = await queue.client.request('POST', '/api/views', { name: 'Disks', list: 'inbox', search: '' });
  const { id, version } = viewSchema.parse(await made.json());
  const user = await openPage(mara, `/view/${id}?v=${version}&search=severity:critical`);
  await findConnected();
  if (title !== undefined) {
    await user.click(within(await findCard(title)).getByRole('link', { name: title }));
    await findDetails();
  }
  const release = hold('PATCH', `/api/views/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Save' }));
  return { user, release };
}

test('the filter of a view that was saved after it was left leads nobody back', async () => {
  const { user, release } = await saveFilter();
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  release();
  await findConnected();
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  expect(location.pathname).toBe('/my-alerts');
});

test('what a view is narrowed by while its filter is saved stays, and is saved next', async () => {
  const { user, release } = await saveFilter();
  await user.type(screen.getByRole('combobox', { name: 'Search alerts' }), 'disk ');
  await waitFor(() => expect(location.search).toContain('disk'));
  release();
  await waitFor(() => expect(location.search).toContain('v=2'));
  expect(location.search).toContain('disk');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
  expect(location.search).toContain('v=3');
});

test('who closes the alert beside a view while its filter is saved has not left the view', async () => {
  const { user, release } = await saveFilter('Beside the view');
  await user.click(within(await findDetails()).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Alert details' })).toBeNull());
  await user.type(screen.getByRole('combobox', { name: 'Search alerts' }), 'disk ');
  await waitFor(() => expect(location.search).toContain('disk'));
  release();
  await waitFor(() => expect(location.search).toContain('v=2'));
  expect(location.search).toContain('disk');
});

/** Makes something that has a page, and resolves to its id. */
const makeOne = async (path: string, body: object): Promise<string> => {
  const made = await (await appServer()).admin.request('POST', path, body);
  return z.object({ id: z.string() }).parse(await made.json()).id;
};

/** A window that is off for long. */
const makeWindow = () =>
  makeOne('/api/maintenance/windows', {
    name: nameForWindow(),
    search: 'type:disk',
    startsAt: '2099-01-04T02:00:00Z',
    minutes: 60,
    timeZone: 'UTC',
    rrule: null,
  });

test.each([
  {
    kind: 'group',
    path: '/api/outgoing/groups',
    page: '/admin/outgoing/groups',
    make: () => makeOne('/api/outgoing/groups', { name: 'Night watch', memberIds: [] }),
  },
  {
    kind: 'heartbeat',
    path: '/api/heartbeats',
    page: '/heartbeats',
    make: async () => (await makeHeartbeat(await appServer(), 'Backup')).id,
  },
  {
    kind: 'window',
    path: '/api/maintenance/windows',
    page: '/maintenance',
    make: makeWindow,
  },
])('who has left the page of a $kind that is being deleted is led nowhere', async ({ path, page, make }) => {
  const id = await make();
  const { admin } = await appServer();
  const user = await openPage(ADMINISTRATOR, `${page}/${id}`);
  const release = hold('DELETE', `${path}/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Delete…' }));
  const dialog = await findDialog();
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  await screen.findByRole('heading', { level: 1, name: 'My Alerts' });
  release();
  await waitFor(async () => expect(await (await admin.request('GET', path)).text()).not.toContain(id));
  await findConnected();
  expect(location.pathname).toBe('/my-alerts');
});
