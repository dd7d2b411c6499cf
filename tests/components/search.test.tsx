import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import {
  expectCount,
  expectCards,
  findCard,
  findConnected,
  findings,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

const field = () => screen.findByRole<HTMLInputElement>('combobox', { name: 'Search alerts' });
const searchIn = async (name: RegExp) =>
  within(await screen.findByRole('navigation', { name: 'Search in' })).findByRole('link', { name });
const expectOption = async (name: RegExp, text: string) =>
  waitFor(async () => expect((await screen.findByRole('option', { name })).textContent).toBe(text));
const expectGone = (text: string) => waitFor(() => expect(screen.queryByText(text)).toBeNull());

test('a list is searched by words and keys from the header, with hits marked, and follows what arrives', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Harbor & Finch', type: 'disk.full', text: 'db-7 is almost full', note: 'call storage' });
  await app.post({ customer: 'Harbor & Finch', type: 'http.timeout', text: 'checkout answers late' });
  await app.post({ customer: 'Nordwind', type: 'disk.full', text: 'db-9 is full' });
  await queue.accept({ customer: 'Atlas', type: 'disk.full', text: 'db-1 is full' });
  const filed = await queue.accept({ customer: 'Borealis', type: 'disk.full', text: 'db-2 is full' });
  await queue.file(filed, await queue.folder('Disks'));
  const user = await openPage(mara, '/');
  await findConnected();
  await findCard('Nordwind');

  await user.keyboard('/');
  await waitFor(async () => expect(await field()).toHaveFocus());
  await user.keyboard('full db');
  await expectCount('2 of 3 match');
  expect(document.querySelector('mark')).toBeVisible();
  expect(await searchIn(/^My Alerts/)).toBeVisible();

  await user.keyboard(' customer:har');
  expect(await screen.findByRole('option', { name: /^Harbor & Finch/ })).toHaveTextContent(/^Harbor & Finch1$/);
  expect(await findings()).toEqual([]);
  await user.keyboard('{Tab}');
  expect(await screen.findByRole('button', { name: 'Remove customer: Harbor & Finch' })).toBeVisible();
  await expectCount('1 of 3 match');
  await expectCards('Harbor & Finch');
  await waitFor(() =>
    expect(new URLSearchParams(location.search).get('search')).toBe('customer:"Harbor & Finch" full db'),
  );

  await app.post({ customer: 'Harbor & Finch', type: 'disk.full', text: 'db-8 is full by now' });
  await expectCount('2 of 4 match');
  await expectCards('Harbor & Finch', 'Harbor & Finch');

  await user.keyboard('status:open ');
  expect(await screen.findByText('status: takes pending, accepted, in-progress or completed.')).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(async () => expect(await field()).toHaveValue(''));
  expect(screen.queryByRole('button', { name: /Remove customer/ })).toBeNull();
  await findCard('Nordwind');
});

test('a search goes along to the other lists, names folders, and says when nothing matches', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await app.post({ customer: 'Nordwind', text: 'db-9 is full' });
  await queue.accept({ customer: 'Atlas', type: 'disk.full', text: 'db-1 is full' });
  const filed = await queue.accept({ customer: 'Borealis', type: 'disk.full', text: 'db-2 is full' });
  await queue.file(filed, await queue.folder('Disks'));
  const user = await openPage(mara, '/');
  await findConnected();
  await user.type(await field(), 'full');
  await user.click(await searchIn(/^My Alerts/));
  await findCard('Atlas');
  expect(await field()).toHaveValue('full');
  await user.click(await searchIn(/^My Folders/));
  await findCard('Borealis');
  await expectGone('Atlas');
  await user.clear(await field());
  await user.type(await field(), 'folder:disks status:accepted');
  await expectCount('1 match');

  const again = await openPage(mara, '/my-alerts?search=full');
  await findCard('Atlas');
  await again.clear(await field());
  await again.type(await field(), 'nothing like this');
  expect(await screen.findByText('No alerts match “nothing like this”')).toBeVisible();
  await again.click(screen.getByRole('button', { name: 'Clear search' }));
  await findCard('Atlas');
});

test('a search finds the words of notes, and the card shows where', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  const noted = await app.post({ customer: 'Nordwind', text: 'db-9 is full' });
  await openPage(mara, '/?search=nightjar');
  await findConnected();
  expect(await screen.findByText('No alerts match “nightjar”')).toBeVisible();
  const note = { text: 'The Nightjar sits in the rack', mentions: [] };
  await queue.client.request('POST', `/api/alerts/${noted}/notes`, note);
  const card = await findCard('Nordwind');
  await waitFor(() => expect(card.querySelector('mark')).toHaveTextContent('Nightjar'));
  expect(card).toHaveTextContent('The Nightjar sits in the rack');
});

test('values are counted in My Alerts as its list is, in an order that is remembered, too', async () => {
  const { app, mara, queue } = await memberWithQueue();
  await app.clear();
  await queue.client.request('PATCH', '/api/auth/profile', { listOrder: { list: 'mine', sort: 'severity' } });
  for (const customer of ['Atlas', 'Atlas', 'Atlas', 'Borealis'])
    await queue.accept({ customer, text: 'db-1 is full', severity: 'high' });
  const [newest = '', last = ''] = await queue.mine();
  await queue.accept({ customer: 'Cobalt', text: 'checkout answers late' });
  await queue.setStatus(newest, 'completed');
  await queue.setStatus(last, 'completed');
  const user = await openPage(mara, '/my-alerts');
  await expectCards('Atlas', 'Atlas', 'Cobalt');
  await user.type(await field(), 'severity:h');
  await expectOption(/^high/, 'high2');
  await user.clear(await field());

  await user.type(await field(), 'full ');
  await expectCount('2 of 3 match');
  await user.type(await field(), 'customer:');
  await expectOption(/^Atlas/, 'Atlas2');
  await expectOption(/^Borealis/, 'Borealis0');
  await user.type(await field(), '{Backspace>9/}status:com');
  await expectOption(/^completed/, 'completed');
});
