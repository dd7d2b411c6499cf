import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  ADMINISTRATOR,
  appServer,
  findDialog,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

/** The answer to a deletion is that of one that came second: another one is made before it. */
const deleteBefore = (path: RegExp): void =>
  void intercept('DELETE', path, async (_call, go) => {
    expect((await go()).ok).toBe(true);
    return go();
  });

test('a window that a colleague deletes in the same moment is left as one that was deleted here', async () => {
  const { admin } = await appServer();
  const name = `Upgrade ${crypto.randomUUID()}`;
  const window = { name, search: 'customer:Nordwind', minutes: 60, timeZone: 'UTC', rrule: null };
  const made = await admin.request('POST', '/api/maintenance/windows', {
    ...window,
    startsAt: '2099-01-04T10:00:00.000Z',
  });
  const { id } = (await made.json()) as { id: string };
  const user = await openPage(ADMINISTRATOR, `/maintenance/${id}`);
  deleteBefore(/^\/api\/maintenance\/windows\//);
  await user.click((await screen.findByText('Delete…')).closest('button') ?? document.body);
  await user.click((await findDialog()).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('heading', { level: 1, name: /^Maintenance/ })).toBeVisible();
});

test('a session that ended already is signed out of', async () => {
  const { mara } = await memberWithQueue();
  const user = await openPage(mara, '/account');
  deleteBefore(/^\/api\/auth\/sessions\//);
  const list = within(await screen.findByRole('list', { name: 'Sessions' }));
  await user.click((await list.findAllByRole('button', { name: 'Sign out' }))[0] ?? document.body);
  await findToast(/Signed out of/);
  await waitFor(() => expect(list.getAllByRole('listitem')).toHaveLength(1));
});

test('a rule on what arrives that a colleague deletes in the same moment is left, too', async () => {
  const { admin } = await appServer();
  const rule = { name: `Quiet ${crypto.randomUUID()}`, search: 'customer:Nordwind', actions: { stop: true } };
  const { id } = (await (await admin.request('POST', '/api/rules', rule)).json()) as { id: string };
  const user = await openPage(ADMINISTRATOR, `/admin/rules/${id}`);
  deleteBefore(/^\/api\/rules\//);
  await user.click((await screen.findByText(/^Delete/)).closest('button') ?? document.body);
  await user.click((await findDialog()).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByRole('heading', { level: 1, name: /^Rules/ })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
