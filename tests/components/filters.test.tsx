import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  appServer,
  expectCards,
  expectCount,
  findCard,
  findConnected,
  findToast,
  intercept,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
  await app.clear();
});

type Filter = 'Customer' | 'Type';
const button = (name: Filter) => screen.queryByRole('button', { name: new RegExp(`^${name}`) });
const findButton = (name: Filter) => screen.findByRole('button', { name: new RegExp(`^${name}`) });
const options = async (name: Filter) => within(await screen.findByRole('menu', { name })).getAllByRole('menuitemradio');
const navigation = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: new RegExp(`^${name}`) });

async function choose(user: UserEvent, name: Filter, option: string): Promise<void> {
  await user.click(await findButton(name));
  const menu = within(await screen.findByRole('menu', { name }));
  await user.click(await menu.findByRole('menuitemradio', { name: option }));
  await waitFor(async () => expect(await findButton(name)).toHaveFocus());
}

describe('the inbox', () => {
  test('has filters only when they have options', async () => {
    await app.post({ message: 'Neither customer nor type' });
    await openPage(mara, '/');
    await findConnected();
    await expectCount('1 waiting for action');
    expect([button('Customer'), button('Type')]).toEqual([null, null]);
    await app.post({ customer: 'Nordwind' });
    expect(await findButton('Customer')).toHaveTextContent('CustomerAll');
    expect(button('Type')).toBeNull();
    await app.post({ type: 'disk.full' });
    expect(await findButton('Type')).toHaveTextContent('TypeAll');
  });

  test('is narrowed to a customer and a type, by the server', async () => {
    for (const [customer, type] of [
      ['Nordwind', 'disk.full'],
      ['acme', 'order'],
      ['Nordwind', 'order'],
      ['Öl & Söhne', 'order'],
    ])
      await app.post({ customer, type });
    const asked: (string | null)[] = [];
    intercept('GET', '/api/alerts/inbox', ({ url }, go) => {
      asked.push(url.searchParams.get('customer'));
      return go();
    });
    const user = await openPage(mara, '/');
    await expectCount('4 waiting for action');
    await user.click(await findButton('Customer'));
    const customers = await options('Customer');
    expect(customers.map(({ textContent }) => textContent)).toEqual(['All', 'acme', 'Nordwind', 'Öl & Söhne']);
    expect(customers[0]).toBeChecked();
    await user.keyboard('{Escape}');
    await choose(user, 'Customer', 'Nordwind');
    await expectCards('Nordwind', 'Nordwind');
    expect(asked.at(-1)).toBe('Nordwind');
    await expectCount('2 for Nordwind');
    // The badge goes on counting all of them.
    expect(navigation('New Alerts')).toHaveTextContent('4');

    await choose(user, 'Type', 'disk.full');
    await expectCount('1 for Nordwind');
    expect(location.search).toBe('?customer=Nordwind&alertType=disk.full');
    const again = await openPage(mara, `/${location.search}`);
    await expectCount('1 for Nordwind');
    await choose(again, 'Customer', 'Öl & Söhne');
    expect(await screen.findByText('No alerts for this customer.')).toBeVisible();
    expect(button('Type')).toBeVisible();
    await again.click(screen.getByRole('button', { name: 'Clear filters' }));
    await expectCount('4 waiting for action');
    expect(location.search).toBe('');
  });

  test('lets a live alert appear only where the filter does', async () => {
    await app.post({ customer: 'Nordwind', number: 1 });
    await app.post({ customer: 'Atlas', number: 2 });
    const user = await openPage(mara, '/?customer=Nordwind');
    await findConnected();
    await expectCards('Nordwind');
    await app.post({ customer: 'Atlas', number: 3 });
    await waitFor(() => expect(navigation('New Alerts')).toHaveTextContent('3'));
    await expectCards('Nordwind');
    await app.post({ customer: 'Nordwind', number: 4 });
    await expectCards('Nordwind', 'Nordwind');
    await expectCount('2 for Nordwind');
    await user.click(within(await findCard('Nordwind')).getByRole('button', { name: 'Accept' }));
    await expectCount('1 for Nordwind');
    await user.click(within(await findToast(/accepted/i)).getByRole('button', { name: /^Undo/ }));
    await expectCount('2 for Nordwind');
  });

  test('loses what somebody else accepts while it is filtered', async () => {
    const jonas = await queueOf(app, await app.addMember('Jonas Okafor'));
    const id = await app.post({ customer: 'Nordwind' });
    await openPage(mara, '/?customer=Nordwind');
    await findConnected();
    await expectCards('Nordwind');
    await jonas.client.request('POST', `/api/alerts/${id}/accept`);
    expect(await screen.findByText(/^Accepted by/)).toHaveTextContent('Accepted by Jonas Okafor');
    expect(await screen.findByText('No alerts for this customer.')).toBeVisible();
  });

  test('says that nothing of a type is left', async () => {
    const id = await app.post({ type: 'disk.full' });
    await app.post({ type: 'order' });
    const user = await openPage(mara, '/?alertType=disk.full');
    await findConnected();
    await expectCount('1 waiting for action');
    await app.admin.request('DELETE', `/api/webhooks/${id}`);
    expect(await screen.findByText('No alerts of this type.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filter' }));
    await expectCount('1 waiting for action');
  });

  test('finds one of many customers by typing', async () => {
    for (let number = 0; number < 9; number += 1) await app.post({ customer: `Customer ${number}` });
    const user = await openPage(mara, '/');
    await expectCount('9 waiting for action');
    await user.click(await findButton('Customer'));
    await user.type(await screen.findByRole('combobox', { name: 'Filter customers' }), '7');
    const found = within(screen.getByRole('listbox', { name: 'Customer' }));
    await waitFor(() =>
      expect(found.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Customer 7']),
    );
    await user.keyboard('{Enter}');
    await expectCount('1 for Customer 7');
  });
});

describe('a card', () => {
  test('narrows the list to its customer, type or source by a click', async () => {
    await app.post({ title: 'Disk full', customer: 'Nordwind', type: 'disk' });
    await app.post({ title: 'Disk late', customer: 'Atlas', type: 'disk' });
    await app.post({ title: 'Order lost', customer: 'Atlas', type: 'order' });
    const user = await openPage(mara, '/');
    const click = async (title: string, name: string) =>
      user.click(within(await findCard(title)).getByRole('button', { name: new RegExp(`^${name}, filter by `) }));
    await click('Disk late', 'Atlas');
    await expectCards('Atlas', 'Atlas');
    expect(await findButton('Customer')).toHaveTextContent('CustomerAtlas');
    await click('Disk late', 'disk');
    await expectCards('Atlas');
    expect(await findButton('Type')).toHaveTextContent('Typedisk');
    await click('Disk late', 'End-to-end tests');
    await waitFor(() => expect(location.search).toMatch(/customer=Atlas.*alertType=disk.*source=/));
    expect(location.pathname).toBe('/');
  });

  test('says what it is for where its customer is the headline', async () => {
    await app.post({ customer: 'Nordwind', attempts: 3 });
    await openPage(mara, '/');
    const card = await findCard('Nordwind');
    expect(within(card).getByRole('link', { name: 'Nordwind' })).toBeVisible();
    expect(within(card).queryByRole('button', { name: /^Nordwind/ })).toBeNull();
    expect(card).toHaveTextContent('now');
  });
});

test('queue and folder are filtered and sorted, too, and each keeps its own', async () => {
  const queue = await queueOf(app, mara);
  const folder = await queue.folder('Here');
  for (const [customer, type] of [
    ['Nordwind', 'disk.full'],
    ['Atlas', 'order'],
    ['Atlas', 'disk.full'],
  ]) {
    await queue.accept({ customer, type });
    await queue.file(await queue.accept({ customer, type }), folder);
  }
  const user = await openPage(mara, '/my-alerts');
  await expectCount('3 in your queue');
  await choose(user, 'Customer', 'Atlas');
  await expectCount('2 in your queue');
  await expectCards('Atlas', 'Atlas');
  await user.click(screen.getByRole('radio', { name: 'Oldest' }));
  await waitFor(() =>
    expect([...document.querySelectorAll('.alert-card__title')].map(({ textContent }) => textContent)).toEqual([
      'order',
      'disk.full',
    ]),
  );
  await user.click(within(await screen.findByRole('treeitem', { name: /^Here/ })).getByRole('link'));
  await expectCount('3 in this folder');
  expect(screen.getByRole('radio', { name: 'Newest' })).toBeChecked();
  await choose(user, 'Type', 'disk.full');
  await expectCount('2 in this folder');
  await expectCards('Atlas', 'Nordwind');
  await user.click(screen.getByRole('radio', { name: 'Oldest' }));
  await expectCards('Nordwind', 'Atlas');
  await user.click(navigation('My Alerts'));
  await expectCount('2 in your queue');
  expect(location.pathname + location.search).toBe('/my-alerts?customer=Atlas&sort=oldest');
});

describe('one filter', () => {
  test('what a menu is set to is in the search field, and what is searched by a key is in its menu', async () => {
    for (const customer of ['Nordwind', 'Atlas']) await app.post({ customer, type: 'disk.full' });
    const user = await openPage(mara, '/');
    await choose(user, 'Customer', 'Nordwind');
    await screen.findByRole('button', { name: 'Remove customer: Nordwind' });
    await user.type(await screen.findByRole('combobox', { name: 'Search alerts' }), 'type:disk.full ');
    await waitFor(async () => expect(await findButton('Type')).toHaveTextContent('Typedisk.full'));
    expect(await findButton('Customer')).toHaveTextContent('CustomerNordwind');
    await expectCards('Nordwind');

    // A menu takes the place of the key, and the field has what the menu has.
    await choose(user, 'Customer', 'Atlas');
    await screen.findByRole('button', { name: 'Remove customer: Atlas' });
    expect(screen.queryByRole('button', { name: 'Remove customer: Nordwind' })).toBeNull();
    await expectCards('Atlas');
    await user.click(screen.getByRole('button', { name: 'Remove customer: Atlas' }));
    await waitFor(async () => expect(await findButton('Customer')).toHaveTextContent('CustomerAll'));
    await user.click(screen.getByRole('button', { name: 'Clear Type' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove type: disk.full' })).toBeNull());
    expect(location.search).toBe('');
  });

  test('two choices in one moment are both kept', async () => {
    await app.post({ customer: 'Nordwind', severity: 'critical' });
    await app.post({ customer: 'Atlas', severity: 'high' });
    const user = await openPage(mara, '/');
    await user.click(await screen.findByRole('button', { name: /^Severity/ }));
    const menu = within(await screen.findByRole('menu', { name: 'Severity' }));
    for (const name of [/^Critical/, /^High/]) fireEvent.click(menu.getByRole('menuitemcheckbox', { name }));
    expect(location.search).toBe('?severity=critical&severity=high');
  });
});

test('a filter says that there are more names than it has', async () => {
  intercept('GET', '/api/alerts/facets', async (_call, go) => {
    const customers = Array.from({ length: 500 }, (_, index) => `Customer ${index}`);
    return Response.json({ ...((await (await go()).json()) as object), customers, isComplete: false });
  });
  const user = await openPage(mara, '/');
  await user.click(await findButton('Customer'));
  expect(await screen.findByText('300+ more, type to find them')).toBeVisible();
});

test('a list with more sources than it names has no more customers for that', async () => {
  intercept('GET', '/api/alerts/facets', async (_call, go) => {
    const customers = Array.from({ length: 500 }, (_, index) => `Customer ${index}`);
    const facets = (await (await go()).json()) as object;
    return Response.json({ ...facets, customers, isComplete: false, incomplete: ['sources'] });
  });
  const user = await openPage(mara, '/');
  await user.click(await findButton('Customer'));
  expect(await screen.findByText('300 more, type to find them')).toBeVisible();
});
