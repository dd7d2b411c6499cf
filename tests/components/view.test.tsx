import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { windowSchema } from '#backend/contract/maintenance.ts';
import { viewListAnswerSchema, viewSchema } from '#backend/contract/view.ts';
import {
  appServer,
  findCard,
  findConnected,
  findDialog,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

/** The views in the sidebar, in their order. */
const shown = () =>
  within(screen.getByRole('list', { name: 'Views' }))
    .getAllByRole('link')
    .map(({ textContent }) => /^[A-Z][a-z]+/.exec(textContent)?.[0]);

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

test('a view that is the inbox as it is has the banner of a window that keeps one of its alerts quiet', async () => {
  const { app, mara, queue } = await memberWithQueue();
  const customer = crypto.randomUUID();
  const times = { startsAt: 'now', minutes: 60, timeZone: 'UTC', rrule: null };
  const upgrade = { name: 'Upgrade', search: `customer:${customer}`, ...times };
  const planned = await app.admin.request('POST', '/api/maintenance/windows', upgrade);
  const { id: windowId } = windowSchema.parse(await planned.json());
  onTestFinished(async () => void (await app.admin.request('DELETE', `/api/maintenance/windows/${windowId}`)));
  await app.post({ customer });
  const made = await queue.client.request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: '' });
  await openPage(mara, `/view/${viewSchema.parse(await made.json()).id}`);
  await findCard(customer);
  expect(await screen.findByRole('region', { name: 'Maintenance' })).toHaveTextContent('Upgrade is on until');
});
