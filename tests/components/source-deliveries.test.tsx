import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sourceSchema } from '#backend/contract/source.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, send, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findConnected, findToast, intercept, json, openPage } from './support/open-page.tsx';

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

test('what is selected while a replay runs stays selected after it', async () => {
  await app.clear();
  const { id, key } = await makeSource(app, 'Replayed slowly');
  for (const title of ['First', 'Second']) await sendLogged(app, { id, key }, { title });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('POST', `/api/sources/${id}/replay`, async (_call, go) => {
    await isReleased;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  const first = within(await row('First')).getByRole('checkbox');
  const second = within(await row('Second')).getByRole('checkbox');
  await user.click(first);
  await user.click(await screen.findByRole('button', { name: 'Replay 1' }));
  await user.click(second);
  release();
  await findToast(/^1 delivery replayed/);
  await waitFor(() => expect(first).not.toBeChecked());
  expect(second).toBeChecked();
  expect(screen.getByRole('button', { name: 'Replay 1' })).toBeVisible();
});

test.for([
  ['a search', '?q=timeout'],
  ['no search', ''],
])('the number of deliveries that are replayed is the one on the button, with %s', async ([, query]) => {
  await app.clear();
  const { id, key } = await makeSource(app, 'Many');
  for (let count = 1; count <= 4; count += 1) await sendLogged(app, { id, key }, { title: `Timeout ${count}` });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const wanted: number[] = [];
  // Two rows fit into a page of the list, and one into a page that is read for all of them.
  intercept('GET', `/api/sources/${id}/deliveries`, async ({ url, headers }) => {
    const limit = url.searchParams.get('limit');
    if (limit === '500') await isReleased;
    url.searchParams.set('limit', limit === '500' ? '1' : '2');
    return fetch(url.href, { headers });
  });
  intercept('POST', `/api/sources/${id}/replay`, ({ body }, go) => {
    wanted.push((JSON.parse(body) as { ids: string[] }).ids.length);
    return go();
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/deliveries${query}`);
  await waitFor(async () => expect(await rows()).toHaveLength(3));
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: /^Replay/ })).toHaveAttribute('aria-disabled', 'true'));
  await send(app, key, { title: 'Timeout 5' });
  release();
  await user.click(await screen.findByRole('button', { name: 'Replay 4' }));
  await findToast(/^4 deliveries replayed/);
  expect(wanted).toEqual([4]);
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

test('the first delivery is tried although its sender counted as in use before the log had it', async () => {
  const { id, key } = await makeSource(app, 'Early use', 'generic');
  intercept('GET', `/api/sources/${id}`, async (_call, go) => {
    const source = sourceSchema.parse(await (await go()).json());
    return json({ ...source, lastDeliveryAt: source.lastDeliveryAt ?? new Date().toISOString() });
  });
  await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  expect(await screen.findByText('Waiting for the first delivery…')).toBeVisible();
  await findConnected();
  await sendLogged(app, { id, key }, { title: 'Card issuer declined' });
  const alert = await screen.findByRole('region', { name: 'The alert' });
  await waitFor(() => expect(alert).toHaveTextContent('Card issuer declined'));
});

test('a delivery opens after the mapping was shown, which has read the same deliveries', async () => {
  const { id, key } = await makeSource(app, 'Sampled', 'generic');
  await sendLogged(app, { id, key }, { title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/mapping`);
  await field('title');
  await user.click(screen.getByRole('link', { name: 'Deliveries' }));
  await user.click(within(await row('Disk full')).getByRole('link'));
  expect(await screen.findByRole('button', { name: 'Older delivery' })).toBeVisible();
});

/** A log that a page shows by twos, and reads whole by 500. */
function showByTwos(id: string): void {
  intercept('GET', `/api/sources/${id}/deliveries`, ({ url, headers }) => {
    if (url.searchParams.get('limit') !== '500') url.searchParams.set('limit', '2');
    return fetch(url.href, { headers });
  });
}

test('letters go to other deliveries only where single keys are on, arrows always', async () => {
  const source = await makeSource(app, 'Walked');
  await sendLogged(app, source, { title: 'Older' });
  await sendLogged(app, source, { title: 'Newer' });
  localStorage.setItem('single-keys-enabled', 'false');
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`, { keepsStorage: true });
  await user.click(within(await row('Newer')).getByRole('link'));
  const older = await screen.findByRole('button', { name: 'Older delivery' });
  await waitFor(() => expect(older).not.toHaveAttribute('aria-disabled'));
  const { pathname } = location;
  await user.keyboard('j');
  expect(location.pathname).toBe(pathname);
  expect(older).toHaveAttribute('aria-keyshortcuts', 'ArrowDown');
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(location.pathname).not.toBe(pathname));
});

test('everything that was selected is selected no more once other deliveries are listed', async () => {
  const { id, key } = await makeSource(app, 'Narrowed');
  for (let count = 1; count <= 3; count += 1) await sendLogged(app, { id, key }, { title: `Timeout ${count}` });
  showByTwos(id);
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await waitFor(async () => expect(await rows()).toHaveLength(3));
  await screen.findByRole('radio', { name: 'All 3' });
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }));
  await screen.findByRole('button', { name: 'Replay 3' });
  await user.click(screen.getByRole('radio', { name: /^New alert/ }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Replay/ })).toBeNull());
  expect(screen.getByRole('checkbox', { name: /^Select all/ })).not.toBeChecked();
});

test('the search field says what is searched, also after "Show all deliveries"', async () => {
  const { id, key } = await makeSource(app, 'Searched');
  await send(app, key, { title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await row('Disk full');
  const search = screen.getByRole('searchbox');
  await user.type(search, 'nowhere');
  await user.click(await screen.findByRole('button', { name: 'Show all deliveries' }));
  await row('Disk full');
  expect(search).toHaveValue('');
  await user.type(search, 'nowhere');
  await screen.findByRole('button', { name: 'Show all deliveries' });
});

test('a replay that fails half-way says what was done, and goes on with what is left', async () => {
  const { id, key } = await makeSource(app, 'Broken off');
  await sendLogged(app, { id, key }, { title: 'Real one' });
  const logged = (await (await app.admin.request('GET', `/api/sources/${id}/deliveries`)).json()) as { id: string }[];
  const many = Array.from({ length: 501 }, () => ({ ...logged[0], id: crypto.randomUUID() }));
  intercept('GET', `/api/sources/${id}/deliveries`, () => Response.json(many));
  const wanted: number[] = [];
  const outcomes = { new: 0, repeated: 0, resolved: 0, handshake: 0, ignored: 0, refused: 0, paused: 0 };
  intercept('POST', `/api/sources/${id}/replay`, ({ body }) => {
    wanted.push((JSON.parse(body) as { ids: string[] }).ids.length);
    return wanted.length === 2
      ? Response.json({ title: 'Conflict', status: 409, detail: 'It is being deleted.' }, { status: 409 })
      : Response.json({ outcomes, notReplayed: [] });
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }));
  await user.click(await screen.findByRole('button', { name: 'Replay 501' }));
  await findToast('500 deliveries replayed, 1 not');
  await user.click(await screen.findByRole('button', { name: 'Replay 1' }));
  await findToast('1 delivery replayed');
  expect(wanted).toEqual([500, 1, 1]);
});

test('the last part of the time line has what came last, however long the page has been open', async () => {
  const { id, key } = await makeSource(app, 'Open for long');
  await sendLogged(app, { id, key }, { title: 'Disk full' });
  const now = Date.now.bind(Date);
  vi.spyOn(Date, 'now').mockImplementation(() => now() - 2 * 60 * 60_000);
  onTestFinished(() => void vi.restoreAllMocks());
  const narrowed = Promise.withResolvers<unknown[]>();
  intercept('GET', `/api/sources/${id}/deliveries`, async ({ url }, go) => {
    const answer = await go();
    if (url.searchParams.has('to')) narrowed.resolve((await answer.clone().json()) as unknown[]);
    return answer;
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}/deliveries?hours=1`);
  (await screen.findByRole('button', { name: /^Time line/ })).focus();
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(await narrowed.promise).toHaveLength(1);
  expect(await row('Disk full')).toBeVisible();
});
