import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findDialog,
  findRow,
  findToast,
  intercept,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await clearSources(app);
});

/** The page of the newest delivery of a source, whose replays are answered once they are let. */
async function openDelivery(id: string) {
  const path = `/api/sources/${id}`;
  const [logged] = (await (await app.admin.request('GET', `${path}/deliveries`)).json()) as { id: string }[];
  const answered = Promise.withResolvers<void>();
  const replayed: string[] = [];
  intercept('POST', `${path}/replay`, async ({ body }, go) => {
    replayed.push(body);
    await answered.promise;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/deliveries/${logged?.id}`);
  return { user, replayed, answer: answered.resolve };
}

test('a delivery is replayed once by two quick clicks', async () => {
  const source = await makeSource(app, 'Replayed once');
  await sendLogged(app, source, { title: 'Disk full' });
  const { user, replayed, answer } = await openDelivery(source.id);
  const replay = await screen.findByRole('button', { name: 'Replay' });
  await waitFor(() => expect(replay).toBeEnabled());
  await user.dblClick(replay);
  expect(await screen.findByRole('button', { name: 'Replaying…' })).toHaveAttribute('aria-disabled', 'true');
  answer();
  await findToast('1 delivery replayed: 1 new alert');
  expect(await screen.findByRole('button', { name: 'Replay' })).not.toHaveAttribute('aria-disabled');
  expect(replayed).toHaveLength(1);
});

test('a refused request is replayed once by two quick clicks, which are asked about where it has no signature', async () => {
  const source = await makeSource(app, 'Signed');
  const path = `/api/sources/${source.id}`;
  await app.admin.request('POST', `${path}/signing-secrets`, { secret: 'A secret of the sender' });
  const auth = { key: true, basic: true, token: true, signature: 'github' };
  await app.admin.request('PATCH', path, { settings: { auth } });
  await sendLogged(app, source, { title: 'Not signed' });
  const { user, replayed, answer } = await openDelivery(source.id);
  const anyway = await screen.findByRole('button', { name: 'Replay anyway' });
  await user.click(anyway);
  await user.dblClick((await findDialog()).getByRole('button', { name: 'Replay' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(anyway).toHaveAttribute('aria-disabled', 'true');
  // While one runs nothing is asked.
  await user.click(anyway);
  expect(screen.queryByRole('dialog')).toBeNull();
  answer();
  await findToast('1 delivery replayed: 1 new alert');
  expect(replayed).toHaveLength(1);
});

test('a source is paused once by two quick clicks, and nobody else is said to have changed it', async () => {
  const { id } = await makeSource(app, 'Paused once');
  const changes: string[] = [];
  intercept('PATCH', `/api/sources/${id}`, ({ body }, go) => {
    changes.push(body);
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await user.dblClick(await screen.findByRole('button', { name: 'Pause' }));
  await findToast('Source paused');
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeVisible();
  const toasts = within(screen.getByRole('region', { name: /^Notifications/ }));
  expect(toasts.queryByText(/someone else/)).toBeNull();
  expect(changes).toHaveLength(1);
});

test('a mapping is saved once by two quick clicks, and says so', async () => {
  const { id } = await makeSource(app, 'Mapped once', 'generic');
  const changes: string[] = [];
  intercept('PATCH', `/api/sources/${id}`, ({ body }, go) => {
    changes.push(body);
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await user.type(await screen.findByLabelText('title', { exact: true }), 'failure');
  const save = screen.getByRole('button', { name: 'Save mapping' });
  await waitFor(() => expect(save).toBeEnabled());
  await user.dblClick(save);
  await findToast('Mapping saved');
  expect(changes).toHaveLength(1);
});

/** A member whom an administrator disables, and the changes of accounts that the page sends. */
async function withMember() {
  const mara = await app.addMember('Mara Lindqvist');
  const changes: string[] = [];
  intercept('PATCH', /^\/api\/auth\/users\//, ({ body }, go) => {
    changes.push(body);
    return go();
  });
  const disable = async () => within(await findRow('Users', mara.email)).getByRole('button', { name: 'Disable' });
  return { mara, changes, disable };
}

test('a member is disabled once by two quick clicks', async () => {
  const { changes, disable } = await withMember();
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  await user.dblClick(await disable());
  await findToast('User status updated');
  await findConnected();
  expect(changes).toHaveLength(1);
});

test('a dialog that closes at once is sent once by two quick clicks', async () => {
  const { mara, changes, disable } = await withMember();
  const users = (await (await app.admin.request('GET', '/api/auth/users')).json()) as { id: string; email: string }[];
  const id = await app.post({ customer: 'Left behind' });
  const userId = users.find(({ email }) => email === mara.email)?.id;
  await app.admin.request('POST', `/api/alerts/${id}/assign`, { userId });
  const user = await openPage(ADMINISTRATOR, '/admin/users');
  await user.click(await disable());
  await user.dblClick((await findDialog()).getByRole('button', { name: 'Disable' }));
  await findToast('User status updated');
  await findConnected();
  expect(changes).toHaveLength(1);
});
