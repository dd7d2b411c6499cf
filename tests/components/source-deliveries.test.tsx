import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, send, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await clearSources(app);
});

const table = () => screen.findByRole('table', { name: 'Deliveries' });
const rows = async () => within(await table()).getAllByRole('row');

/** The row of a delivery, once it has a text. */
const row = (text: string): Promise<HTMLElement> =>
  waitFor(async () => {
    const found = (await rows()).find(({ textContent }) => textContent?.includes(text));
    if (!found) throw new Error(`"${text}" is in no row.`);
    return found;
  });

test('deliveries, also refused ones, show live, in the filter that is set', async () => {
  const { id, key } = await makeSource(app, 'Live');
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  expect(await screen.findByText('Waiting for the first delivery…')).toBeVisible();
  await screen.findByText('Connected');
  expect((await send(app, key, { title: 'Disk full', customer: 'Nordwind' })).status).toBe(202);
  expect(await row('Disk full')).toHaveTextContent('New alert');
  const settings = { auth: { key: false, basic: true, token: true, signature: null } };
  await app.admin.request('PATCH', `/api/sources/${id}`, { settings });
  expect((await send(app, key, { title: 'Refused' })).status).toBe(401);
  expect(await row('Refused')).toHaveTextContent('401');
  await user.click(screen.getByRole('radio', { name: /^Refused/ }));
  // Its head is a row as well.
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expect(location.search).toContain('outcome=refused');
  await user.click(within(await row('401')).getByRole('link'));
  expect(await screen.findByText(/The sender received status 401 and no details\./)).toBeVisible();
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  await waitFor(() => expect(location.search).toContain('outcome=refused'));
});

test('selected deliveries are replayed, which makes alerts again', async () => {
  await app.clear();
  const { id, key } = await makeSource(app, 'Replayed source');
  await send(app, key, { title: 'Once more', customer: 'Meridian' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await user.click(await screen.findByRole('checkbox', { name: /^Select New alert/ }));
  await user.click(await screen.findByRole('button', { name: 'Replay 1' }));
  await findToast('1 delivery replayed: 1 new alert');
  expect(await row('Replayed')).toBeVisible();
  expect((await app.inbox()).map(({ customer }) => customer)).toEqual(['Meridian', 'Meridian']);
});

const titles = async () => (await rows()).slice(1).map((one) => within(one).getByRole('link').textContent);

test('rows wait while the pointer is over the list, and come when they are asked for', async () => {
  const { id, key } = await makeSource(app, 'Held');
  await send(app, key, { title: 'First' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await screen.findByText('Connected');
  await user.hover(within(await row('First')).getByRole('link'));
  await send(app, key, { title: 'Second' });
  const more = await screen.findByRole('button', { name: '1 new delivery' });
  expect(await titles()).toEqual(['First']);
  await user.click(more);
  await waitFor(async () => expect(await titles()).toEqual(['Second', 'First']));
});

const field = (name: string) => screen.findByLabelText(name, { exact: true });

const save = () => screen.getByRole('button', { name: 'Save mapping' });

test('a mapping is tried live, an error is explained, and saving applies from then on', async () => {
  const { id, key } = await makeSource(app, 'Mapped', 'generic');
  await sendLogged(app, { id, key }, { order: { no: 'HF-204918' }, failure: { reason: 'Card issuer declined' } });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  const fill = async (name: string, text: string) => {
    await user.clear(await field(name));
    if (text) await user.type(await field(name), text.replaceAll('[', '[['));
  };
  await fill('title', 'failure.reason');
  const alert = screen.getByRole('region', { name: 'The alert' });
  await waitFor(() => expect(alert).toHaveTextContent('Card issuer declined'));
  (await screen.findByRole('button', { name: 'Use order.no as…' })).focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('menuitem', { name: 'dedup key' }));
  await waitFor(async () => expect(await field('dedup key')).toHaveValue('order.no'));
  await fill('link', 'order.admin_url[');
  expect(await screen.findByText('1 entry to fix')).toBeVisible();
  expect(save()).toBeDisabled();
  await user.click(screen.getByRole('link', { name: 'Settings' }));
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await fill('link', '');
  await waitFor(() => expect(save()).toBeEnabled());
  await user.click(save());
  await findToast('Mapping saved');
  await send(app, key, { order: { no: 'HF-1' }, failure: { reason: 'Again' } });
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  expect(await screen.findByRole('link', { name: 'Again' })).toBeVisible();
});

test('what was typed into a mapping stays while its deliveries come, and the first one is shown when it arrives', async () => {
  const { id, key } = await makeSource(app, 'Awaited', 'generic');
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('GET', `/api/sources/${id}/deliveries`, async (_call, go) => {
    await isReleased;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await screen.findByText('Connected');
  await user.type(await field('title'), 'failure');
  release();
  // Only the editor has it: there is no notice that nothing was delivered yet.
  await waitFor(async () => expect(await field('title')).toHaveValue('failure'));
  await sendLogged(app, { id, key }, { failure: 'Card issuer declined' });
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'The alert' })).toHaveTextContent('Card issuer declined'),
  );
  expect(await field('title')).toHaveValue('failure');
});
