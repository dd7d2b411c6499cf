import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { heartbeatListSchema } from '#backend/contract/heartbeat.ts';
import { groupSchema } from '#backend/contract/ladder.ts';
import { placeOnPage } from '#renderer/ui/use-dialog.ts';
import { makeHeartbeat, makeSource } from '#tests/e2e/support/sources.ts';
import {
  ADMINISTRATOR,
  appServer,
  findCard,
  findRow,
  findToast,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
  startServer,
} from './support/open-page.tsx';

test('a removed exception leaves the focus to the next one, the one before, or the panel', async () => {
  const { mara, queue } = await memberWithQueue();
  for (const name of ['First', 'Second', 'Third']) {
    const view = await queue.client.request('POST', '/api/views', { name, list: 'inbox', search: 'severity:critical' });
    const { id } = await view.json();
    await queue.client.request('PUT', '/api/notification-exceptions', { kind: 'view', id, level: 'always' });
  }
  const user = await openPage(mara, '/settings');
  const panel = within(await screen.findByRole('region', { name: 'Exceptions' }));
  const remove = async (name: string): Promise<void> => {
    (await panel.findByRole('button', { name: `Remove the exception of ${name}` })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(panel.queryByRole('button', { name: `Remove the exception of ${name}` })).toBeNull());
  };
  await remove('Second');
  expect(panel.getByRole('button', { name: 'Remove the exception of Third' })).toHaveFocus();
  await findToast('Exception removed');
  await remove('Third');
  expect(panel.getByRole('button', { name: 'Remove the exception of First' })).toHaveFocus();
  await remove('First');
  expect(screen.getByRole('region', { name: 'Exceptions' })).toContainElement(document.activeElement as HTMLElement);
});

test('Cancel of a form gives the focus to the button that opens it', async () => {
  const { mara } = await memberWithQueue();
  const user = await openPage(mara, '/settings');
  await user.click(await screen.findByRole('button', { name: 'Add a channel' }));
  await user.click(within(screen.getByRole('form', { name: 'New channel' })).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Add a channel' })).toHaveFocus();
});

test('a removed step of a ladder leaves the focus to the next one', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/rules/new');
  await user.click(await screen.findByRole('checkbox', { name: 'Notify people step by step' }));
  await user.click(screen.getByRole('button', { name: 'Add a step' }));
  await user.click(screen.getByRole('button', { name: 'Add a step' }));
  await user.click(screen.getByRole('button', { name: 'Remove step 2' }));
  expect(screen.queryByRole('button', { name: 'Remove step 3' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Remove step 2' })).toHaveFocus();
});

test('a credential that ends at once leaves the focus to the panel of the others', async () => {
  const app = await appServer();
  const { id } = await makeSource(app, `Rotated ${crypto.randomUUID()}`);
  await app.admin.request('POST', `/api/sources/${id}/rotate`, { kind: 'key' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/settings`);
  (await screen.findByRole('button', { name: /^Expire now/ })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Expire now/ })).toBeNull());
  expect(screen.getByRole('button', { name: 'Rotate API key' })).toHaveFocus();
});

const lines = () => screen.queryAllByRole('button', { name: 'Close for everybody' });

test('a line about a time without a server that is closed leaves the focus to the next one, then to the page', async () => {
  const app = await appServer();
  await makeHeartbeat(app, `Backup ${crypto.randomUUID()}`);
  const times = { from: '2026-01-01T10:00:00.000Z', to: '2026-01-01T11:00:00.000Z' };
  let downtimes = ['1', '2'].map((id) => Object.assign({ id, heartbeats: 1, missing: 0, waiting: 0 }, times));
  intercept('GET', '/api/heartbeats', async (_call, go) =>
    json({ ...heartbeatListSchema.parse(await (await go()).json()), downtimes }),
  );
  intercept('DELETE', /^\/api\/heartbeat-downtimes\//, ({ url }) => {
    downtimes = downtimes.filter(({ id }) => !url.pathname.endsWith(id));
    return new Response(null, { status: 204 });
  });
  const user = await openPage(ADMINISTRATOR, '/heartbeats');
  await waitFor(() => expect(lines()).toHaveLength(2));
  lines()[0]?.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(lines()).toHaveLength(1));
  expect(lines()[0]).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(lines()).toHaveLength(0));
  expect(screen.getByRole('button', { name: 'New heartbeat' })).toHaveFocus();
});

test('a window that is ended in the banner leaves the focus there, and to the page when the banner goes', async () => {
  // The banner over several windows that are on has other actions.
  const app = await startServer();
  const times = { startsAt: 'now', minutes: 60, timeZone: 'UTC', rrule: null };
  await app.admin.request('POST', '/api/maintenance/windows', { name: 'Upgrade', search: '', ...times });
  const user = await openPage(ADMINISTRATOR, '/', { app });
  await screen.findByText('Connected');
  const banner = await screen.findByRole('region', { name: 'Maintenance' });
  within(banner).getByRole('button', { name: 'End now' }).focus();
  await user.keyboard('{Enter}');
  await findToast('Upgrade ends now');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'End now' })).toBeNull());
  expect(banner).toContainElement(document.activeElement as HTMLElement);
  // It ends once that can be taken back no more.
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Maintenance' })).toBeNull());
  expect(placeOnPage()).toHaveFocus();
});

test('what both have changed leaves the focus to the fields, whoever is followed', async () => {
  const app = await appServer();
  const made = await app.admin.request('POST', '/api/outgoing/groups', { name: 'Days', memberIds: [] });
  const path = `/api/outgoing/groups/${groupSchema.parse(await made.json()).id}`;
  onTestFinished(async () => void (await app.admin.request('DELETE', path)));
  const user = await openPage(ADMINISTRATOR, `/admin${path.slice('/api'.length)}`);
  const name = await screen.findByLabelText('Name');
  await screen.findByText('Connected');
  for (const [theirs, answer] of [
    ['Nights', 'Keep editing'],
    ['Evenings', 'Show theirs'],
  ] as const) {
    await user.type(name, ' 2');
    await app.admin.request('PATCH', path, { name: theirs });
    (await screen.findByRole('button', { name: answer })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('button', { name: answer })).toBeNull());
    expect(name).toHaveFocus();
  }
});

const folder = (name: string) => screen.queryByRole('treeitem', { name });

test('a folder that goes leaves the focus to the next one, and the last one to what makes another', async () => {
  const { mara, queue } = await memberWithQueue();
  const id = await queue.folder('Payments');
  await queue.folder('Urgent');
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await waitFor(() => expect(folder('Payments')).toBeVisible());
  folder('Payments')?.focus();
  // In another window.
  await queue.client.request('DELETE', `/api/folders/${id}`);
  await waitFor(() => expect(folder('Payments')).toBeNull());
  expect(folder('Urgent')).toHaveFocus();
  await user.keyboard('{Delete}');
  expect(await screen.findByText('No folders yet')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Create a folder' })).toHaveFocus();
});

test('the last link that is revoked leaves the focus to the page', async () => {
  const app = await startServer();
  const email = 'jonas@example.org';
  await app.admin.request('POST', '/api/auth/invitations', {
    email,
    displayName: 'Jonas',
    role: 'user',
    isMailed: false,
  });
  const user = await openPage(ADMINISTRATOR, '/admin/users', { app });
  within(await findRow('Pending links', email))
    .getByRole('button', { name: 'Revoke' })
    .focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Pending links' })).toBeNull());
  expect(placeOnPage()).toHaveFocus();
});

test('the last session of a member that is ended leaves the focus in the dialog', async () => {
  const { mara } = await memberWithQueue();
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  await user.click(within(await findRow('Users', mara.email)).getByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit User' }));
  (await dialog.findByRole('button', { name: 'Sign out' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(dialog.queryByRole('button', { name: 'Sign out' })).toBeNull());
  expect(dialog.getByRole('button', { name: 'Cancel' })).toHaveFocus();
});

test('an alert that is accepted by its button leaves the focus to its headline', async () => {
  const { app, mara } = await memberWithQueue();
  const title = `Disk full ${crypto.randomUUID()}`;
  const user = await openPage(mara, `/alert/${await app.post({ title })}`);
  (await screen.findByRole('button', { name: 'Accept' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull());
  expect(screen.getByRole('heading', { name: title })).toHaveFocus();
});

test.each([
  { path: '/?customer=Nobody', name: 'Clear filter' },
  { path: '/?search=nothing-has-this', name: 'Clear search' },
  { path: '/admin/alerts?customer=Nobody', name: 'Clear filters' },
])('$name where nothing is found leaves the focus to the page: $path', async ({ path, name }) => {
  const app = await appServer();
  const title = `Disk full ${crypto.randomUUID()}`;
  await app.post({ title });
  const user = await openPage(ADMINISTRATOR, path);
  // The search field has a button of this name, too, without a text.
  (await screen.findByText(name)).closest('button')?.focus();
  await user.keyboard('{Enter}');
  await findCard(title);
  expect(screen.getByRole('main')).toHaveFocus();
});

const away = () => refusal(503, 'The database is away.');

test('Try again leaves the focus to the page, and in a dialog there', async () => {
  const { mara } = await memberWithQueue();
  const restores = ['/api/auth/users', /\/access$/].map((path) => intercept('GET', path, away));
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  (await screen.findByRole('button', { name: 'Try again' })).focus();
  restores[0]?.();
  await user.keyboard('{Enter}');
  const row = await findRow('Users', mara.email);
  expect(screen.getByRole('main')).toHaveFocus();
  await user.click(within(row).getByRole('button', { name: 'Edit' }));
  const edit = await screen.findByRole('dialog', { name: 'Edit User' });
  const dialog = within(edit);
  (await dialog.findByRole('button', { name: 'Try again' })).focus();
  restores[1]?.();
  await user.keyboard('{Enter}');
  await dialog.findByRole('button', { name: 'Sign out' });
  expect(edit).toContainElement(document.activeElement as HTMLElement);
});

test('what shows the rest of the rows leaves the focus to those before', async () => {
  const app = await startServer();
  for (let count = 0; count < 7; count++) await app.post({ customer: `Customer ${count}`, title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, '/insight?days=7', { app });
  const table = within(await screen.findByRole('region', { name: 'By customer' }));
  const before = table.getAllByRole('link').at(-1);
  table.getByRole('button', { name: '2 more' }).focus();
  await user.keyboard('{Enter}');
  expect(table.getAllByRole('link')).toHaveLength(7);
  expect(before).toHaveFocus();
});

const auditEntry = (id: string) => ({
  id,
  createdAt: '2026-11-30T10:00:00.000Z',
  action: 'user_created',
  actorId: null,
  actorName: 'Ann Ashby',
  subject: `entry ${id}`,
  ip: null,
  times: 1,
});

test('Show more of the audit trail leaves the focus to the last entry so far when nothing older is left', async () => {
  intercept('GET', '/api/audit', ({ url }) =>
    url.searchParams.has('before')
      ? json([auditEntry('1')])
      : new Response(JSON.stringify([auditEntry('3'), auditEntry('2')]), {
          headers: { 'content-type': 'application/json', link: '</api/audit?before=2>; rel="next"' },
        }),
  );
  const user = await openPage(ADMINISTRATOR, '/admin/audit');
  (await screen.findByRole('button', { name: 'Show more' })).focus();
  await user.keyboard('{Enter}');
  await screen.findByText('entry 1');
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  expect(screen.getByText('entry 2').closest('li')).toHaveFocus();
});

test('Save and Discard, which are disabled then, leave the focus to the name', async () => {
  const app = await appServer();
  const body = { name: `Nights ${crypto.randomUUID()}`, memberIds: [] };
  const { id, name } = groupSchema.parse(await (await app.admin.request('POST', '/api/outgoing/groups', body)).json());
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/groups/${id}`);
  const field = await screen.findByRole('textbox', { name: 'Name' });
  for (const [button, value] of [
    ['Discard', name],
    ['Save group', `${name}x`],
  ] as const) {
    await user.type(field, 'x');
    screen.getByRole('button', { name: button }).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: button })).toBeDisabled());
    expect(field).toHaveFocus();
    expect(field).toHaveValue(value);
  }
  await findToast('Group saved');
});
