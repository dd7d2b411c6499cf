import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { viewSchema } from '#backend/contract/view.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  expectCards,
  expectCount,
  findCard,
  findConnected,
  findDialog,
  findToast,
  findings,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

/** A view's row in the sidebar: its name, whether it is shared, its count. */
const row = (name: string) =>
  within(screen.getByRole('region', { name: 'Views' })).findByRole('link', { name: new RegExp(name) });

test('a shared view appears for members, follows its administrator, and says when it is gone', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const views = async () =>
    ((await (await app.admin.request('GET', '/api/views')).json()) as unknown[]).map((one) => viewSchema.parse(one));
  // An attempt before may have left its own.
  for (const view of await views()) await app.admin.request('DELETE', `/api/views/${view.id}`);
  await app.post({ customer: 'Nordwind', title: 'Pump stopped', severity: 'critical' });
  await app.post({ customer: 'Nordwind', title: 'Pump is warm', severity: 'warning' });
  const admin = await openPage(ADMINISTRATOR, '/?search=severity:critical');
  await admin.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = await findDialog();
  await admin.type(dialog.getByLabelText('Name'), 'Critical');
  await admin.click(dialog.getByText('Share with everyone'));
  await admin.click(dialog.getByRole('button', { name: 'Save View' }));
  await screen.findByRole('heading', { level: 1, name: 'Critical' });
  const id = location.pathname.split('/').at(-1);
  const path = `/api/views/${id}`;

  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await waitFor(async () => expect(await row('Critical')).toHaveTextContent('1'));
  await user.click(await row('Critical'));
  await screen.findByRole('heading', { level: 1, name: 'Critical' });
  await expectCards('Nordwind');
  await user.click(within(await findCard('Pump stopped')).getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('No alerts in this view')).toBeVisible();
  await waitFor(async () => expect(await row('Critical')).not.toHaveTextContent('1'));

  // The administrator widens it: who looks at it as it was sees the new one.
  const view = (await views()).find((one) => one.id === id);
  expect(view).toMatchObject({ name: 'Critical', isShared: true });
  await app.admin.request('PATCH', path, { version: view?.version, search: 'severity:critical severity:warning' });
  await findCard('Pump is warm');
  await waitFor(async () => expect(await row('Critical')).toHaveTextContent('1'));

  await app.admin.request('PATCH', path, { version: (view?.version ?? 0) + 1, isShared: false });
  expect(await screen.findByText('Critical was deleted')).toBeVisible();
  expect(within(screen.getByRole('region', { name: 'Views' })).queryByRole('link', { name: /Critical/ })).toBeNull();
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'New Alerts' }));
  await findCard('Pump is warm');
  await app.admin.request('DELETE', path);
});

test('a search is saved as a view with a live count, changed, and deleted with undo', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk full on db-7', severity: 'critical' });
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk slow on db-8', severity: 'warning' });
  await app.post({ customer: 'Nordwind', type: 'http', title: 'Checkout answers late', severity: 'critical' });
  const expectRow = (count: string) =>
    waitFor(async () => expect(await row('Harbor night shift')).toHaveTextContent(count));
  const user = await openPage(mara, '/?search=disk&customer=Harbor+%26+Finch');
  await findConnected();
  await user.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as view' }));
  const filter = dialog.getByLabelText('Filter');
  expect(filter).toHaveValue('customer:"Harbor & Finch" disk');
  expect(dialog.queryByLabelText('Share with everyone')).toBeNull();
  await user.type(filter, ' severity:awful');
  await waitFor(() => expect(dialog.getByRole('alert')).toHaveTextContent('severity: takes critical'));
  await user.clear(filter);
  await user.type(filter, 'customer:"Harbor & Finch" disk');
  await user.type(dialog.getByLabelText('Name'), 'Harbor night shift');
  expect(await findings()).toEqual([]);
  dialog.getByLabelText('Name').focus();
  await user.keyboard('{Enter}');

  await screen.findByRole('heading', { level: 1, name: 'Harbor night shift' });
  await screen.findByRole('link', { name: 'Disk full on db-7' });
  expect(screen.queryByRole('link', { name: 'Checkout answers late' })).toBeNull();
  await expectRow('2');

  // What happens elsewhere is counted here.
  await app.post({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk full on db-9', severity: 'critical' });
  await expectRow('3');
  const queue = await queueOf(app, ADMINISTRATOR);
  await queue.accept({ customer: 'Harbor & Finch', type: 'disk', title: 'Disk gone' });
  await screen.findByRole('link', { name: 'Disk full on db-9' });
  await expectRow('3');

  await user.click(screen.getByRole('button', { name: 'Remove disk' }));
  await user.type(screen.getByRole('combobox', { name: 'Search alerts' }), 'severity:critical ');
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Disk slow on db-8' })).toBeNull());
  expect(await screen.findByRole('button', { name: 'Save as new' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save as new' })).toBeNull());
  await expectRow('2');

  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox', { name: /Command or folder/ }), 'harbor night');
  expect(await screen.findByRole('option', { name: /Harbor night shift/ })).toHaveTextContent('2');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

  const openMenu = async () =>
    user.click(await screen.findByRole('button', { name: 'Menu of the view Harbor night shift' }));
  await openMenu();
  expect(await screen.findByRole('menuitemradio', { name: 'Use my settings' })).toBeChecked();
  await user.click(screen.getByRole('menuitemradio', { name: 'Always notify me' }));
  expect(await screen.findByText('Alerts in Harbor night shift')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await openMenu();
  expect(await screen.findByRole('menuitemradio', { name: 'Always notify me' })).toBeChecked();
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
  await screen.findByRole('heading', { level: 1, name: 'New Alerts' });
  await findToast('View deleted');
  await waitFor(() => expect(screen.queryByRole('link', { name: /Harbor night shift/ })).toBeNull());
  await user.keyboard('z');
  await user.click(await row('Harbor night shift'));
  await expectCount('2 waiting for action');
});

test('the name of a view that was just deleted is free', async () => {
  const { mara, queue } = await memberWithQueue();
  const views = async () =>
    ((await (await queue.client.request('GET', '/api/views')).json()) as unknown[]).map((one) => viewSchema.parse(one));
  const body = { name: 'Disks', isShared: false, list: 'inbox', search: 'disk', sort: 'newest' };
  const { id } = viewSchema.parse(await (await queue.client.request('POST', '/api/views', body)).json());
  const user = await openPage(mara, `/view/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Menu of the view Disks' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await findToast('View deleted');
  await user.click(screen.getByRole('button', { name: 'Save a view' }));
  const dialog = await findDialog();
  await user.type(dialog.getByLabelText('Name'), 'Disks');
  await user.click(dialog.getByRole('button', { name: 'Save View' }));
  await screen.findByRole('heading', { level: 1, name: 'Disks' });
  expect((await views()).filter(({ isShared }) => !isShared)).toEqual([expect.objectContaining({ name: 'Disks' })]);
  expect((await views()).map((view) => view.id)).not.toContain(id);
});

test('a view takes the name of one that was just deleted', async () => {
  const { mara, queue } = await memberWithQueue();
  const make = async (name: string) => {
    const body = { name, isShared: false, list: 'inbox', search: 'disk', sort: 'newest' };
    return viewSchema.parse(await (await queue.client.request('POST', '/api/views', body)).json());
  };
  const gone = await make('Disks');
  const kept = await make('Tapes');
  const user = await openPage(mara, `/view/${gone.id}`);
  await user.click(await screen.findByRole('button', { name: 'Menu of the view Disks' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await findToast('View deleted');
  await user.click(await screen.findByRole('link', { name: /^Tapes/ }));
  await user.click(await screen.findByRole('button', { name: 'Menu of the view Tapes' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Rename…' }));
  const dialog = await findDialog();
  await user.clear(dialog.getByLabelText('Name'));
  await user.type(dialog.getByLabelText('Name'), 'Disks');
  await user.click(dialog.getByRole('button', { name: 'Rename' }));
  await screen.findByRole('heading', { level: 1, name: 'Disks' });
  const list: unknown = await (await queue.client.request('GET', '/api/views')).json();
  expect(list).toContainEqual(expect.objectContaining({ id: kept.id, name: 'Disks' }));
  expect(list).not.toContainEqual(expect.objectContaining({ id: gone.id }));
});

test('an alert that is open beside a shared view stays open when a colleague changes the view, which follows', async () => {
  const { app, mara } = await memberWithQueue();
  await app.clear();
  const title = 'Pump stopped';
  await app.post({ customer: 'Nordwind', title, severity: 'critical' });
  await app.post({ customer: 'Nordwind', title: 'Pump is warm', severity: 'warning' });
  const body = { name: 'Critical', isShared: true, list: 'inbox', search: 'severity:critical' };
  const view = viewSchema.parse(await (await app.admin.request('POST', '/api/views', body)).json());
  const path = `/api/views/${view.id}`;
  onTestFinished(async () => void (await app.admin.request('DELETE', path)));
  const user = await openPage(mara, `/view/${view.id}`);
  await findConnected();
  await user.click(within(await findCard(title)).getByRole('link', { name: title }));
  const open = () => screen.queryByRole('heading', { level: 2, name: title });
  await waitFor(() => expect(open()).toHaveFocus());
  await app.admin.request('PATCH', path, { version: view.version, search: 'severity:critical severity:warning' });
  await findCard('Pump is warm');
  expect(open()).toHaveFocus();
  expect(location.pathname).toMatch(/^\/alert\//);

  await user.keyboard('{Escape}');
  await waitFor(() => expect(location.pathname).toBe(`/view/${view.id}`));
  await waitFor(() => expect(location.search).toContain(`v=${view.version + 1}`));
  await findCard('Pump is warm');
  expect(open()).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
