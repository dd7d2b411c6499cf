import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { beforeEach, expect, test } from 'vitest';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { clearSources, makeSource, send, sendLogged } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await clearSources(app);
});

/** The link of a row for each delivery, which names it. */
const links = async () => {
  const [, ...rows] = within(await screen.findByRole('table', { name: 'Deliveries' })).getAllByRole('row');
  return rows.map((row) => within(row).getByRole('link'));
};

const titles = async () => (await links()).map(({ textContent }) => textContent);

test('a list that is empty takes what comes, also where Live is off', async () => {
  const { id, key } = await makeSource(app, 'Empty');
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${id}`);
  await screen.findByText('Waiting for the first delivery…');
  await screen.findByText('Connected');
  await user.click(screen.getByRole('checkbox', { name: /^Live/ }));
  await send(app, key, { title: 'First' });
  await waitFor(async () => expect(await titles()).toEqual(['First']));
  await send(app, key, { title: 'Second' });
  await screen.findByRole('button', { name: '1 new delivery' });
  await waitFor(async () => expect(await titles()).toEqual(['First']));
});

test('the neighbor of a delivery is of the list that it was opened from, whatever other list has both', async () => {
  const source = await makeSource(app, 'Narrowed and walked');
  for (const title of ['Timeout 1', 'Disk full', 'Timeout 2']) await sendLogged(app, source, { title });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await waitFor(async () => expect(await titles()).toEqual(['Timeout 2', 'Disk full', 'Timeout 1']));
  await user.type(screen.getByRole('searchbox'), 'Timeout');
  await waitFor(async () => expect(await titles()).toEqual(['Timeout 2', 'Timeout 1']));
  const [newest, next] = await links();
  const path = next?.getAttribute('href')?.split('?')[0];
  await user.click(newest as HTMLElement);
  const older = await screen.findByRole('button', { name: 'Older delivery' });
  await waitFor(() => expect(older).not.toHaveAttribute('aria-disabled'));
  const before = location.pathname;
  await user.click(older);
  await waitFor(() => expect(location.pathname).not.toBe(before));
  expect(location.pathname).toBe(path);
  // Also where it is the last one.
  await waitFor(() => expect(older).not.toBeInTheDocument());
  const last = screen.getByRole('button', { name: 'Older delivery' });
  expect(last).toHaveFocus();
  await waitFor(() => expect(last).toHaveAttribute('aria-disabled', 'true'));
  expect(last).toHaveFocus();
});

/** So many deliveries as the first of a source, newest first. */
async function copiesOf(id: string, count: number): Promise<{ id: string }[]> {
  const [logged] = (await (await app.admin.request('GET', `/api/sources/${id}/deliveries`)).json()) as { id: string }[];
  return Array.from({ length: count }, () => ({ ...logged, id: uuidv7() })).toReversed();
}

const findSelect = () => screen.findByRole('checkbox', { name: /^Select New alert/ });

const head = () => screen.getByRole('checkbox', { name: 'Select all deliveries' });

test('more deliveries than one call takes are replayed oldest first', async () => {
  const source = await makeSource(app, 'Long away');
  await sendLogged(app, source, { title: 'Disk full' });
  const listed = await copiesOf(source.id, 501);
  intercept('GET', `/api/sources/${source.id}/deliveries`, () => Response.json(listed));
  const replayed: string[][] = [];
  const outcomes = { new: 0, repeated: 0, resolved: 0, handshake: 0, ignored: 0, refused: 0, paused: 0 };
  intercept('POST', `/api/sources/${source.id}/replay`, ({ body }) => {
    replayed.push((JSON.parse(body) as { ids: string[] }).ids);
    return Response.json({ outcomes, notReplayed: [] });
  });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await user.click(await screen.findByRole('checkbox', { name: /^Select all/ }));
  await user.click(await screen.findByRole('button', { name: 'Replay 501' }));
  await findToast('501 deliveries replayed');
  expect(replayed.map(({ length }) => length)).toEqual([500, 1]);
  expect(replayed.flat()).toEqual(listed.map(({ id }) => id).toReversed());
});

test('where more deliveries are new than are counted, it says so, and showing them gives the focus to the list', async () => {
  const source = await makeSource(app, 'Busy');
  await sendLogged(app, source, { title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await waitFor(async () => expect(await titles()).toEqual(['Disk full']));
  await screen.findByText('Connected');
  await user.click(screen.getByRole('checkbox', { name: /^Live/ }));
  const listed = await copiesOf(source.id, 50);
  intercept('GET', `/api/sources/${source.id}/deliveries`, () => Response.json(listed));
  await send(app, source.key, { title: 'Again' });
  const news = await screen.findByRole('button', { name: '50+ new deliveries' });
  news.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('button', { name: /new deliveries/ })).toBeNull());
  expect(head()).toHaveFocus();
});

test('the bar of selected deliveries leaves the focus to the list', async () => {
  const source = await makeSource(app, 'Selected');
  await sendLogged(app, source, { title: 'Disk full' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await user.click(await findSelect());
  await user.click(await screen.findByRole('button', { name: 'Clear' }));
  expect(head()).toHaveFocus();
  await user.click(await findSelect());
  await user.click(await screen.findByRole('button', { name: 'Replay 1' }));
  await findToast('1 delivery replayed: 1 new alert');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Replay/ })).toBeNull());
  expect(head()).toHaveFocus();
});

test('letters in the bell do not go to another delivery behind it', async () => {
  const source = await makeSource(app, 'Behind the bell');
  await sendLogged(app, source, { title: 'Older' });
  await sendLogged(app, source, { title: 'Newer' });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}`);
  await user.click((await links())[0] as HTMLElement);
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Older delivery' })).not.toHaveAttribute('aria-disabled'),
  );
  const { pathname } = location;
  await user.click(await screen.findByRole('button', { name: /^For you/ }));
  const bell = await screen.findByRole('dialog', { name: 'For you' });
  await waitFor(() => expect(bell).toContainElement(document.activeElement as HTMLElement));
  await user.keyboard('j');
  expect(location.pathname).toBe(pathname);
});

test('the list of sources says of one delivery that it is one', async () => {
  await sendLogged(app, await makeSource(app, 'Seldom'), { title: 'Only' });
  await openPage(ADMINISTRATOR, '/admin/sources');
  const row = (await screen.findByRole('link', { name: 'Seldom' })).closest<HTMLElement>('tr') ?? document.body;
  expect(await within(row).findByText('1 delivery in the last 24 hours, 0 refused')).toBeInTheDocument();
});
