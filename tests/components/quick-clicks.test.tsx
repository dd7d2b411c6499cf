import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findDialog, findToast, intercept, openPage } from './support/open-page.tsx';

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
