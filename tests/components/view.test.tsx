import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { viewListAnswerSchema, viewSchema } from '#backend/contract/view.ts';
import { hold } from './support/leaving.ts';
import {
  ADMINISTRATOR,
  appServer,
  expectCards,
  expectCount,
  findCard,
  findConnected,
  findDialog,
  findToast,
  intercept,
  memberWithQueue,
  openCardMenu,
  openPage,
  startServer,
} from './support/open-page.tsx';

/** The views in the sidebar, in their order. */
const shown = () =>
  within(screen.getByRole('list', { name: 'Views' }))
    .getAllByRole('link')
    .map(({ textContent }) => /^[A-Z][a-z]+/.exec(textContent)?.[0]);

/** The row of a view in the sidebar, with its number. */
const findRow = (name: string) =>
  within(screen.getByRole('region', { name: 'Views' })).findByRole('link', { name: new RegExp(`^${name}`) });

const findSave = () => screen.findByRole('button', { name: 'Save' });

test('what is typed into the search in the moment after a part of it was removed elsewhere is kept', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const { request } = await app.signIn(mara);
  const made = await request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: 'disk' });
  const { id } = viewSchema.parse(await made.json());
  await openPage(mara, `/view/${id}`);
  const remove = await screen.findByRole('button', { name: 'Remove disk' });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search alerts' });
  await waitFor(() => expect(field).toHaveValue('disk'));

  // The next key comes right after.
  fireEvent.click(remove);
  await Promise.resolve();
  fireEvent.input(field, { target: { value: 'severity:critical ' } });
  await waitFor(() => expect(location.search).toContain('search=severity%3Acritical'));
  expect(screen.getByRole('button', { name: 'Remove severity: critical' })).toBeVisible();
});

test('a view can be searched once it is filtered as it was saved, which would replace what is typed before', async () => {
  const { mara, queue } = await memberWithQueue();
  const made = await queue.client.request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: 'disk' });
  const { id } = viewSchema.parse(await made.json());
  const seen = new Set<string>();
  const observer = new MutationObserver(() => {
    if (screen.queryByLabelText('Search alerts')) seen.add(document.querySelector('h1')?.textContent ?? 'nothing');
  });
  observer.observe(document.body, { childList: true, subtree: true });
  onTestFinished(() => observer.disconnect());
  await openPage(mara, `/view/${id}`);
  await screen.findByRole('button', { name: 'Remove disk' });
  expect([...seen]).toEqual(['Night shift']);
});

test('a deletion that is undone after another view was moved brings the view back to its place', async () => {
  const { mara, queue } = await memberWithQueue();
  const { request } = queue.client;
  const ids = new Map<string, string>();
  for (const name of ['Alpha', 'Bravo', 'Charlie']) {
    const made = await request('POST', '/api/views', { name, list: 'inbox', search: '' });
    ids.set(name, viewSchema.parse(await made.json()).id);
  }
  const stored = async () =>
    viewListAnswerSchema
      .parse(await (await request('GET', '/api/views')).json())
      .flatMap(({ id, name }) => (ids.get(name) === id ? [name] : []));
  const user = await openPage(mara, `/view/${ids.get('Alpha')}`);
  const choose = async (view: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `Menu of the view ${view}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };
  await choose('Alpha', 'Delete');
  await findToast('View deleted');
  await waitFor(() => expect(shown()).toEqual(['Bravo', 'Charlie']));
  await user.click(screen.getByRole('link', { name: /^Charlie/ }));
  await choose('Charlie', 'Move up');
  await waitFor(() => expect(shown()).toEqual(['Charlie', 'Bravo']));
  await user.click(await screen.findByRole('button', { name: /^Undo/ }));
  await waitFor(() => expect(shown()).toEqual(['Alpha', 'Charlie', 'Bravo']));
  await waitFor(async () => expect(await stored()).toEqual(['Alpha', 'Charlie', 'Bravo']));
});

test('a filter is saved after the view was renamed, by one of two clicks, and not over a filter that was not seen', async () => {
  const { mara, queue } = await memberWithQueue();
  const { request } = queue.client;
  const made = await request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: '' });
  const { id } = viewSchema.parse(await made.json());
  const stored = async () =>
    viewListAnswerSchema.parse(await (await request('GET', '/api/views')).json()).find((view) => view.id === id);
  const user = await openPage(mara, `/view/${id}`);
  await findConnected();
  const search = async (word: string) =>
    user.type(await screen.findByRole('combobox', { name: 'Search alerts' }), `${word} `);
  await search('severity:critical');
  await findSave();
  await user.click(screen.getByRole('button', { name: 'Menu of the view Night shift' }));
  await user.click(await screen.findByRole('menuitem', { name: /^Rename/ }));
  const dialog = await findDialog();
  await user.type(dialog.getByLabelText('Name'), ' 2');
  await user.click(dialog.getByRole('button', { name: 'Rename' }));
  await screen.findByRole('heading', { level: 1, name: 'Night shift 2' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const sent: string[] = [];
  intercept('PATCH', `/api/views/${id}`, ({ body }, go) => {
    sent.push(body);
    return go();
  });
  await user.dblClick(await findSave());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
  expect(await stored()).toMatchObject({ name: 'Night shift 2', search: 'severity:critical', version: 3 });
  expect(sent).toHaveLength(1);

  await search('disk');
  await findSave();
  await request('PATCH', `/api/views/${id}`, { version: 3, search: 'severity:high' });
  await request('PATCH', `/api/views/${id}`, { version: 4, name: 'Day shift' });
  await screen.findByRole('heading', { level: 1, name: 'Day shift' });
  await user.click(await findSave());
  await findToast('Someone else changed this view in the meantime.');
  expect(await stored()).toMatchObject({ search: 'severity:high', version: 5 });
});

test('a filter is saved after the view was renamed while an alert was open beside it', async () => {
  const { app, mara, queue } = await memberWithQueue();
  const { request } = queue.client;
  const title = crypto.randomUUID();
  await app.post({ customer: 'Nordwind', title, severity: 'critical' });
  const made = await request('POST', '/api/views', { name: 'Early shift', list: 'inbox', search: '' });
  const { id } = viewSchema.parse(await made.json());
  const user = await openPage(mara, `/view/${id}`);
  await findConnected();
  await user.type(await screen.findByRole('combobox', { name: 'Search alerts' }), `${title} `);
  await findSave();
  await user.click(within(await findCard(title)).getByRole('link', { name: title }));
  const open = () => screen.queryByRole('heading', { level: 2, name: title });
  await waitFor(() => expect(open()).toHaveFocus());
  await request('PATCH', `/api/views/${id}`, { version: 1, name: 'Late shift' });
  await screen.findByRole('heading', { level: 1, name: 'Late shift' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(open()).toBeNull());
  await user.click(await findSave());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
});

test('an alert that is open beside a view stays open when the view is reset or saved', async () => {
  const { app, mara, queue } = await memberWithQueue();
  const title = crypto.randomUUID();
  const kept = `/alert/${await app.post({ customer: 'Nordwind', title })}`;
  const made = await queue.client.request('POST', '/api/views', { name: 'Night', list: 'inbox', search: '' });
  const { id } = viewSchema.parse(await made.json());
  for (const name of ['Reset', 'Save']) {
    const user = await openPage(mara, `/view/${id}`);
    await findConnected();
    await user.type(await screen.findByRole('combobox', { name: 'Search alerts' }), `${title} `);
    await findSave();
    await user.click(within(await findCard(title)).getByRole('link', { name: title }));
    await waitFor(() => expect(screen.queryByRole('heading', { level: 2, name: title })).toHaveFocus());
    await user.click(await screen.findByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
    expect(location.pathname).toBe(kept);
  }
});

test('a view that is the inbox as it is has the banner of a window that keeps one of its alerts quiet', async () => {
  // A window that is on cannot be deleted after the test.
  const app = await startServer();
  const mara = await app.addMember('Mara Lindqvist');
  const { request } = await app.signIn(mara);
  const times = { startsAt: 'now', minutes: 60, timeZone: 'UTC', rrule: null };
  const upgrade = { name: 'Upgrade', search: 'customer:Nordwind', ...times };
  expect((await app.admin.request('POST', '/api/maintenance/windows', upgrade)).status).toBe(201);
  await app.post({ customer: 'Nordwind' });
  const made = await request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: '' });
  await openPage(mara, `/view/${viewSchema.parse(await made.json()).id}`, { app });
  await findCard('Nordwind');
  expect(await screen.findByRole('region', { name: 'Maintenance' })).toHaveTextContent('Upgrade is on until');
});

test('a view of My Alerts counts what is open and has what is completed in a group, unless its search names a status', async () => {
  const { mara, queue } = await memberWithQueue();
  const type = 'disk';
  for (const customer of ['Done', 'Done, too'])
    await queue.setStatus(await queue.accept({ customer, type }), 'completed');
  await queue.accept({ customer: 'Working', type });
  const make = async (name: string, search: string) => {
    const made = await queue.client.request('POST', '/api/views', { name, list: 'mine', search });
    return viewSchema.parse(await made.json()).id;
  };
  const disks = await make('Disks', 'type:disk');
  await make('Finished', 'type:disk status:completed');
  const user = await openPage(mara, `/view/${disks}`);
  await expectCards('Working', 'Done, too', 'Done');
  await expectCount('1 in your queue · 1 accepted');
  await waitFor(async () => expect(await findRow('Disks')).toHaveTextContent('1'));
  await user.click(await screen.findByRole('button', { name: /^Completed \(2\)/ }));
  await expectCards('Working');

  await user.click(await findRow('Finished'));
  await expectCards('Done, too', 'Done');
  await expectCount('2 in your queue');
  await waitFor(async () => expect(await findRow('Finished')).toHaveTextContent('2'));
  expect(screen.queryByRole('button', { name: /^Completed/ })).toBeNull();
});

test('the head of a view counts an alert no more from the moment at which it is deleted, before the server receives the request', async () => {
  const { app } = await memberWithQueue();
  await app.clear();
  for (const customer of ['Atlas', 'Kestrel']) await app.post({ customer, title: 'Pump stopped' });
  const body = { name: 'Pumps', list: 'inbox', search: 'pump' };
  const { id } = viewSchema.parse(await (await app.admin.request('POST', '/api/views', body)).json());
  onTestFinished(async () => void (await app.admin.request('DELETE', `/api/views/${id}`)));
  const user = await openPage(ADMINISTRATOR, `/view/${id}`);
  await findConnected();
  const row = await findRow('Pumps');
  await waitFor(() => expect(row).toHaveTextContent('2'));
  await expectCount('2 waiting for action');
  await openCardMenu(user, 'Atlas');
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }));
  await expectCards('Kestrel');
  // The number beside its name is the server's.
  await waitFor(() => {
    expect(row).toHaveTextContent('2');
    expect(document.querySelector('.page-head__count')).toHaveTextContent('1 waiting for action');
  });
});

test('a view of every alert is shared with those who see every alert, and says so', async () => {
  const { app } = await memberWithQueue();
  const body = { name: 'Everywhere', list: 'all', search: 'severity:critical' };
  const { id } = viewSchema.parse(await (await app.admin.request('POST', '/api/views', body)).json());
  onTestFinished(async () => void (await app.admin.request('DELETE', `/api/views/${id}`)));
  const user = await openPage(ADMINISTRATOR, `/view/${id}`);
  await user.click(await screen.findByRole('button', { name: 'Menu of the view Everywhere' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Share with administrators and super users' }));
  await waitFor(() =>
    expect(document.querySelector('[data-tip="Shared with administrators and super users"]')).toBeInTheDocument(),
  );
  await user.click(screen.getByRole('button', { name: 'Save a view' }));
  const dialog = await findDialog();
  const lists = dialog.getByLabelText('List');
  expect(dialog.getByLabelText('Share with administrators and super users')).not.toBeChecked();
  await user.selectOptions(lists, 'inbox');
  expect(dialog.getByLabelText('Share with everyone')).not.toBeChecked();
});

test('an answer of before a change of how a view notifies does not show that again', async () => {
  const { app, mara, queue } = await memberWithQueue();
  const made = await queue.client.request('POST', '/api/views', { name: 'Pumps', list: 'inbox', search: 'pump' });
  const { id } = viewSchema.parse(await made.json());
  const user = await openPage(mara, `/view/${id}`);
  await findConnected();
  await findRow('Pumps');
  // What the list was is answered once the change is known.
  const earlier = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const stop = intercept('GET', '/api/views', async (_call, go) => {
    const answer = await go();
    asked.resolve();
    await earlier.promise;
    return answer;
  });
  const shared = await app.admin.request('POST', '/api/views', {
    name: 'Disks',
    list: 'inbox',
    search: 'disk',
    isShared: true,
  });
  onTestFinished(async () => {
    const { id: sharedId } = viewSchema.parse(await shared.json());
    await app.admin.request('DELETE', `/api/views/${sharedId}`);
  });
  await asked.promise;
  stop();
  const release = hold('PUT', `/api/views/${id}/notify`);
  const openMenu = async () => user.click(await screen.findByRole('button', { name: 'Menu of the view Pumps' }));
  await openMenu();
  await user.click(await screen.findByRole('menuitemradio', { name: 'Always notify me' }));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  earlier.resolve();
  // A call that is made and answered after it has been answered, too.
  await fetch('/api/auth/session');
  await openMenu();
  expect(await screen.findByRole('menuitemradio', { name: 'Always notify me' })).toBeChecked();
  await user.keyboard('{Escape}');
  release();
  await screen.findByText('Alerts in Pumps');
  await findRow('Disks');
});
