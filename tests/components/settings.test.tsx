import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, json, openPage, refusal } from './support/open-page.tsx';

const PATH = '/settings';
const CUSTOMERS = 'Customer Notification Preferences';

/** On this day wherever the tests run. */
const LAST_SEEN = new Date(2025, 10, 21, 21, 42).toISOString();

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
});

const panel = (name: string): Promise<HTMLElement> => screen.findByRole('region', { name });
const checkbox = (name: string): Promise<HTMLElement> => screen.findByRole('checkbox', { name });

async function row(name: string): Promise<HTMLElement> {
  const found = (await checkbox(name)).closest('li');
  if (!found) throw new Error(`${name} is in no list.`);
  return found;
}

/** Answers the lists that settings are made of: of the hundreds that other tests name only those in view would be drawn. */
function pretend(lists: { customers: string[]; types: string[] }): void {
  const seen = lists.customers.map((name, index) => ({
    id: `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`,
    name,
    lastSeenAt: LAST_SEEN,
  }));
  intercept('GET', '/api/customers', () => json(seen));
  intercept('GET', '/api/alert-types', () => json(lists.types));
}

/** Has the server know names, and the lists show these alone. */
async function post(type: string, ...names: string[]): Promise<void> {
  await Promise.all(names.map((customer) => app.post({ customer, type })));
  intercept('GET', '/api/customers', async (_call, go) => {
    const known = (await (await go()).json()) as { name: string }[];
    return json(known.filter(({ name }) => names.includes(name)));
  });
  intercept('GET', '/api/alert-types', () => json([type]));
}

test('the desktop app is described, with a link to its releases in a new tab', async () => {
  await openPage(mara, PATH);
  const desktop = within(await panel('Windows Desktop App'));
  const items = (name: string) => within(desktop.getByRole('list', { name })).getAllByRole('listitem');
  expect(items('Features').map(({ textContent }) => textContent)).toEqual([
    'Toast notifications',
    'Taskbar unread badge',
    'Tray menu',
    'Shortcuts Ctrl+1 Ctrl+2 Ctrl+R',
    'Real-time updates',
  ]);
  expect(items('How to install').map(({ textContent }) => textContent)).toEqual([
    'Download the latest release',
    'Run the .exe',
    'Updates install automatically',
  ]);
  const download = await desktop.findByRole('link', { name: 'Download Latest Release' });
  expect(download).toHaveAttribute('href', 'https://github.com/alertdesk/alertdesk/releases/latest');
  expect(download).toHaveAttribute('target', '_blank');
  expect(download.getAttribute('rel')).toContain('noopener');
});

describe('a mute', () => {
  test('of a customer is this member’s only, is kept, and is taken back', async () => {
    await post('settings.changed', 'Quayside Ferries');
    let user = await openPage(mara, PATH);
    expect(await checkbox('Quayside Ferries')).toBeChecked();
    expect(await row('Quayside Ferries')).toHaveTextContent(
      /Last seen [A-Z][a-z]{2} \d{1,2}, \d{4} at \d{1,2}:\d\d [AP]M/,
    );
    expect(await row('Quayside Ferries')).not.toHaveTextContent('Muted');
    await user.click(within(await row('Quayside Ferries')).getByText('Quayside Ferries'));
    await findToast('Customer muted');
    expect(await checkbox('Quayside Ferries')).not.toBeChecked();
    expect(await row('Quayside Ferries')).toHaveTextContent('Muted');
    user = await openPage(mara, PATH);
    expect(await checkbox('Quayside Ferries')).not.toBeChecked();
    (await checkbox('Quayside Ferries')).focus();
    await user.keyboard(' ');
    await findToast('Customer unmuted');
    expect(await checkbox('Quayside Ferries')).toBeChecked();
    await openPage(ADMINISTRATOR, PATH);
    expect(await checkbox('Quayside Ferries')).toBeChecked();
  });

  test('of an alert type says what it means, whatever the type’s name', async () => {
    const type = 'disk/full & slow? 🚨';
    await post(type, 'Nordwind');
    let user = await openPage(mara, PATH);
    expect(await row(type)).toHaveTextContent('Desktop alerts enabled for this type');
    await user.click(await checkbox(type));
    await findToast('Alert type muted');
    expect(await row(type)).toHaveTextContent('Muted');
    expect(await row(type)).toHaveTextContent('Desktop alerts disabled for this type');
    user = await openPage(mara, PATH);
    expect(await checkbox(type)).not.toBeChecked();
    await user.click(await checkbox(type));
    await findToast('Alert type unmuted');
    expect(await row(type)).toHaveTextContent('Desktop alerts enabled for this type');
  });

  test('that fails is taken back and reported', async () => {
    await post('settings.changed', 'Harbour Lights');
    const user = await openPage(mara, PATH);
    intercept('POST', '/api/customer-mutes', () => refusal(503, 'Away.'));
    await user.click(await checkbox('Harbour Lights'));
    await findToast('Away.');
    await waitFor(async () => expect(await checkbox('Harbour Lights')).toBeChecked());
  });

  test('that fails twice in turn is shown as it was, also while nothing can be read', async () => {
    await post('settings.changed', 'Harbour Lights');
    const user = await openPage(mara, PATH);
    const box = await checkbox('Harbour Lights');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const fail = async () => {
      await released;
      return refusal(503, 'Away.');
    };
    for (const method of ['POST', 'DELETE', 'GET']) intercept(method, /^\/api\/customer-mutes/, fail);
    await user.click(box);
    await waitFor(() => expect(box).not.toBeChecked());
    await user.click(box);
    await waitFor(() => expect(box).toBeChecked());
    release();
    await findToast('Failed to unmute customer');
    expect(box).toBeChecked();
  });

  test('that succeeds stays where the next change of it fails', async () => {
    await post('settings.changed', 'Harbour Lights');
    const user = await openPage(mara, PATH);
    const box = await checkbox('Harbour Lights');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    intercept('POST', '/api/customer-mutes', async (_call, go) => {
      await released;
      return go();
    });
    for (const method of ['DELETE', 'GET']) intercept(method, /^\/api\/customer-mutes/, () => refusal(503, 'Away.'));
    await user.click(box);
    await waitFor(() => expect(box).not.toBeChecked());
    await user.click(box);
    release();
    await findToast('Failed to unmute customer');
    await waitFor(() => expect(box).not.toBeChecked());
  });

  test('of all customers is one call, where that changes anything', async () => {
    await post('settings.changed', 'Atlas Freight', 'Bluepeak Energy');
    const calls: string[] = [];
    intercept('POST', /^/, ({ method, url }, go) => {
      calls.push(`${method} ${url.pathname}`);
      return go();
    });
    const user = await openPage(mara, PATH);
    await checkbox('Atlas Freight');
    const customers = await panel(CUSTOMERS);
    const button = (name: string) => within(customers).getByRole('button', { name });
    const isOff = (name: string) => button(name).getAttribute('aria-disabled') === 'true';
    const boxes = (checked: boolean) => within(customers).queryAllByRole('checkbox', { checked });
    expect(customers).toHaveTextContent('By default you are notified of every customer.');
    expect(isOff('Enable All')).toBe(true);
    await user.click(button('Mute All'));
    await findToast('All customers muted');
    expect(button('Mute All')).toHaveFocus();
    await waitFor(() => expect(boxes(true)).toEqual([]));
    expect(customers).not.toHaveTextContent('By default you are notified of every customer.');
    await waitFor(() => expect(isOff('Mute All')).toBe(true));
    await user.click(button('Enable All'));
    await findToast('All customers enabled');
    await waitFor(() => expect(boxes(false)).toEqual([]));
    await waitFor(() => expect(isOff('Enable All')).toBe(true));
    expect(calls).toEqual(['POST /api/customer-mutes/bulk', 'POST /api/customer-mutes/bulk']);

    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    intercept('POST', '/api/customer-mutes/bulk', async () => {
      await released;
      return refusal(503, 'The database is away.');
    });
    await user.click(await checkbox('Atlas Freight'));
    await waitFor(() => expect(isOff('Enable All')).toBe(false));
    await user.click(button('Mute All'));
    await waitFor(() => expect(isOff('Mute All')).toBe(true));
    expect(isOff('Enable All')).toBe(true);
    release();
    expect(await findToast('Error')).toHaveTextContent('Failed to mute all customers. The database is away.');
    await waitFor(() => expect(isOff('Enable All')).toBe(false));
    await user.click(button('Enable All'));
    await findToast(/Failed to enable all customers\. The database is away\./);
    expect(await checkbox('Atlas Freight')).not.toBeChecked();
  });
});

const rows = (names: string[]) =>
  names.map((name, index) => ({
    id: `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`,
    name,
    lastSeenAt: LAST_SEEN,
  }));

const page = (body: unknown, total: number, headers = {}) =>
  Response.json(body, { headers: { 'X-Total-Count': String(total), ...headers } });

describe('the customers', () => {
  const FIVE = ['Zenith', 'atlas', 'Meridian', 'Kestrel', 'Oakline'];

  test('are sorted by name, and can be searched above five', async () => {
    pretend({ customers: FIVE, types: [] });
    let user = await openPage(mara, PATH);
    expect(await row('Zenith')).toHaveTextContent('Last seen Nov 21, 2025 at');
    const names = within(await panel(CUSTOMERS))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.replace(/Last seen.*$/, ''));
    expect(names).toEqual(['atlas', 'Kestrel', 'Meridian', 'Oakline', 'Zenith']);
    expect(screen.queryByRole('searchbox', { name: 'Search customers' })).toBeNull();

    pretend({ customers: [...FIVE, 'Tern'], types: [] });
    user = await openPage(mara, PATH);
    const search = await screen.findByRole('searchbox', { name: 'Search customers' });
    await user.type(search, 'TER');
    await waitFor(async () => expect(within(await panel(CUSTOMERS)).getAllByRole('checkbox')).toHaveLength(1));
    expect(await checkbox('Tern')).toBeVisible();
    await user.clear(search);
    await user.type(search, 'nobody');
    await waitFor(async () => expect(await panel(CUSTOMERS)).toHaveTextContent('No customers found matching "nobody"'));
    expect(search).toBeVisible();
  });

  test('of which there are more than one answer holds are searched by the server', async () => {
    const first = rows(Array.from({ length: 100 }, (_, index) => `Customer ${index}`));
    intercept('GET', '/api/alert-types', () => json([]));
    // The next page never comes: only the server can find what is beyond the first.
    intercept('GET', '/api/customers', ({ url }) => {
      if (url.search === '') return page(first, 20_000, { Link: '</api/customers?before=Customer+99>; rel="next"' });
      const q = url.searchParams.get('q');
      if (q === null) throw new TypeError('The connection was lost.');
      return q === 'beyond' ? page(rows(['Far Beyond']), 1) : page([], 0);
    });
    const user = await openPage(mara, PATH);
    const search = await screen.findByRole('searchbox', { name: 'Search customers' });
    await user.type(search, 'beyond');
    expect(await checkbox('Far Beyond')).toBeVisible();
    await user.clear(search);
    await user.type(search, 'nobody');
    await waitFor(async () => expect(await panel(CUSTOMERS)).toHaveTextContent('No customers found matching "nobody"'));
    await user.clear(search);
    expect(await checkbox('Customer 3')).toBeVisible();
  });

  test('that are not there yet, and types, are said to be missing', async () => {
    pretend({ customers: [], types: [] });
    await openPage(mara, PATH);
    expect(await screen.findByText('No customers yet')).toBeVisible();
    expect(await panel('Alert Type Subscriptions')).toHaveTextContent('No alert types yet');
    for (const name of ['Enable All', 'Mute All'])
      expect(within(await panel(CUSTOMERS)).getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true');
  });

  test('that cannot be read say so, while the types are there', async () => {
    await post('settings.changed', 'Harbour Lights');
    const restore = intercept('GET', '/api/customers', () => refusal(503, 'The database is away.'));
    const user = await openPage(mara, PATH);
    expect(await screen.findByText('Customers could not be loaded')).toBeVisible();
    expect(await checkbox('settings.changed')).toBeVisible();
    restore();
    await user.click(within(await panel(CUSTOMERS)).getByRole('button', { name: 'Try again' }));
    expect(await checkbox('Harbour Lights')).toBeVisible();
  });
});
