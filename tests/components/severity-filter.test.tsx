import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { clearSources, makeSource, send } from '#tests/e2e/support/sources.ts';
import { appServer, expectCount, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  app = await appServer();
  mara = await app.addMember('Mara Lindqvist');
  await app.clear();
  await clearSources(app);
});

const report = (title: string, level: string) => ({ title, severity: level, state: 'firing', dedup_key: title });
const post = (title: string, level: string) => app.post(report(title, level));

/** Expects the list to have these alerts, in this order. A hidden name for assistive technology stands before each title. */
const expectTitles = (...titles: string[]): Promise<void> =>
  waitFor(() => {
    const shown = [...document.querySelectorAll('.alert-card__title')].map(({ lastChild }) => lastChild?.textContent);
    expect(shown).toEqual(titles);
  });

type Filter = 'Severity' | 'Sort' | 'Source';
const button = (name: Filter) => {
  const filters = screen.queryByRole('group', { name: 'Filters' });
  return filters && within(filters).queryByRole('button', { name: new RegExp(`^${name}`) });
};
const findButton = (name: Filter) =>
  waitFor(() => {
    const found = button(name);
    if (!found) throw new Error(`There is no filter "${name}".`);
    return found;
  });
const severity = async (name: string) =>
  within(await screen.findByRole('menu', { name: 'Severity' })).getByRole('menuitemcheckbox', {
    name: new RegExp(`^${name}`),
  });

const counts = () =>
  within(screen.getByRole('group', { name: 'Severities' }))
    .getAllByRole('button')
    .map((one) => `${one.getAttribute('aria-label')} ${one.getAttribute('aria-pressed')}`);
const count = (name: string) => screen.findByRole('button', { name: new RegExp(`^${name}, \\d+, filter$`) });

async function postFour(): Promise<void> {
  await post('Disk full', 'critical');
  await post('Latency', 'warning');
  await post('Payment failed', 'high');
  await post('Disk full too', 'critical');
}

test('the head counts each severity: a click narrows to it, Ctrl adds one, a second click takes it back', async () => {
  await postFour();
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await count('Critical');
  const all = ['Critical, 2, filter', 'High, 1, filter', 'Warning, 1, filter'];
  expect(counts()).toEqual(all.map((one) => `${one} false`));
  await user.click(await count('Critical'));
  await expectTitles('Disk full too', 'Disk full');
  // A click changes none of the numbers.
  expect(counts()).toEqual(all.map((one, at) => `${one} ${at === 0}`));
  await user.keyboard('{Control>}');
  await user.click(await count('High'));
  await user.keyboard('{/Control}');
  await expectTitles('Disk full too', 'Payment failed', 'Disk full');
  await user.click(await count('High'));
  await expectTitles('Payment failed');
  await user.click(await count('High'));
  await expectTitles('Disk full too', 'Payment failed', 'Latency', 'Disk full');
  // They follow what happens, and whatever else the list is narrowed to.
  await post('Order lost', 'low');
  await count('Low');
  await app.admin.request('POST', `/api/alerts/${(await app.inbox())[0]?.id}/accept`);
  await waitFor(() => expect(counts()).toEqual(all.map((one) => `${one} false`)));
});

test('severities are checked with their marks and counts; the choice is in the address', async () => {
  await postFour();
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await user.click(await findButton('Severity'));
  expect(await severity('All')).toBeChecked();
  expect(await severity('Critical')).toHaveTextContent(/^Critical2$/);
  expect(await severity('Low')).toHaveTextContent(/^Low0$/);
  expect((await severity('Critical')).querySelector('.severity-mark__mark_critical')).not.toBeNull();
  await user.click(await severity('High'));
  await expectTitles('Payment failed');
  // The menu stays open, so that several are chosen.
  await user.click(await severity('Critical'));
  await expectTitles('Disk full too', 'Payment failed', 'Disk full');
  expect(location.search).toBe('?severity=critical&severity=high');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(button('Severity')).toHaveFocus());
  expect(button('Severity')).toHaveTextContent('SeverityCritical, High');
  await expectCount('3 waiting for action');

  await openPage(mara, `/${location.search}`);
  await expectTitles('Disk full too', 'Payment failed', 'Disk full');
  const again = await openPage(mara, '/?severity=low');
  expect(await screen.findByText('No low alerts.')).toBeVisible();
  await again.click(screen.getByRole('button', { name: 'Clear filter' }));
  await expectTitles('Disk full too', 'Payment failed', 'Latency', 'Disk full');
  expect(location.search).toBe('');
});

test('severities are chosen by keyboard', async () => {
  await post('Disk full', 'critical');
  await post('Latency', 'warning');
  const user = await openPage(mara, '/');
  await expectTitles('Latency', 'Disk full');
  (await findButton('Severity')).focus();
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await severity('All')).toHaveFocus());
  await user.keyboard('w');
  expect(await severity('Warning')).toHaveFocus();
  await user.keyboard(' ');
  await waitFor(async () => expect(await severity('Warning')).toBeChecked());
  expect(await severity('Warning')).toHaveFocus();
  await expectTitles('Latency');
});

test('an alert whose severity changes moves in a list that is sorted by it', async () => {
  await post('Disk full', 'warning');
  await post('Latency', 'critical');
  await post('Payment failed', 'high');
  const user = await openPage(mara, '/?sort=severity');
  await screen.findByText('Connected');
  expect(await findButton('Sort')).toHaveTextContent('SortSeverity');
  await expectTitles('Latency', 'Payment failed', 'Disk full');
  await post('Payment failed', 'critical');
  await expectTitles('Payment failed', 'Latency', 'Disk full');
  await post('Latency', 'info');
  await expectTitles('Payment failed', 'Disk full', 'Latency');
  await user.click(await findButton('Sort'));
  await expectTitles('Payment failed', 'Latency', 'Disk full');
  expect(location.search).toBe('');
});

/** Expects the account to have the severity as the order of a list, which a page that is opened then reads. */
const expectStoredOrder = (list: string) =>
  waitFor(async () => {
    const session = await (await (await app.signIn(mara)).request('GET', '/api/auth/session')).json();
    expect(session).toMatchObject({ listOrders: { [list]: 'severity' } });
  });

test('the order that a member chose is remembered for each list, on all devices', async () => {
  await post('Disk full', 'critical');
  await post('Latency', 'low');
  const queue = await queueOf(app, mara);
  await queue.accept(report('Mine, critical', 'critical'));
  await queue.accept(report('Mine, low', 'low'));
  const user = await openPage(mara, '/');
  await expectTitles('Latency', 'Disk full');
  await user.click(await findButton('Sort'));
  await expectTitles('Disk full', 'Latency');
  // Another device has nothing but the account.
  await expectStoredOrder('inbox');
  const again = await openPage(mara, '/');
  await expectTitles('Disk full', 'Latency');
  expect(await findButton('Sort')).toHaveTextContent('SortSeverity');
  await again.click(await findButton('Sort'));
  await expectTitles('Latency', 'Disk full');
  await openPage(mara, '/my-alerts');
  await expectTitles('Mine, low', 'Mine, critical');
});

test('an alert whose severity changes enters and leaves a list of one severity', async () => {
  await post('Latency', 'critical');
  await post('Payment failed', 'high');
  await openPage(mara, '/?severity=critical');
  await screen.findByText('Connected');
  await expectTitles('Latency');
  await post('Payment failed', 'critical');
  await expectTitles('Payment failed', 'Latency');
  await expectCount('2 waiting for action');
  await post('Latency', 'info');
  await expectTitles('Payment failed');
  await expectCount('1 waiting for action');
});

test('a list is narrowed to a source, which comes on offer when it first sends', async () => {
  await post('Disk full', 'critical');
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await expectTitles('Disk full');
  expect(button('Source')).toBeNull();
  const { key, id } = await makeSource(app, 'Shop backend');
  await send(app, key, report('Order failed', 'high'));
  await user.click(await findButton('Source'));
  const sources = within(await screen.findByRole('menu', { name: 'Source' })).getAllByRole('menuitemradio');
  expect(sources.map(({ textContent }) => textContent)).toEqual(['All', 'End-to-end tests1', 'Shop backend1']);
  await user.click(screen.getByRole('menuitemradio', { name: /^Shop backend/ }));
  await expectTitles('Order failed');
  expect(location.search).toBe(`?source=${id}`);
  await post('Latency', 'high');
  await send(app, key, report('Order failed again', 'low'));
  await expectTitles('Order failed again', 'Order failed');
});

test('the list of a deleted source stays its list while something is typed, and as a view', async () => {
  const old = await makeSource(app, 'Old shop');
  for (const title of ['Order failed', 'Payment failed']) await send(app, old.key, report(title, 'high'));
  await app.admin.request('DELETE', `/api/sources/${old.id}`);
  // Another has its name by now.
  await send(app, (await makeSource(app, 'Old shop')).key, report('Order of another', 'high'));
  const user = await openPage(mara, `/?source=${old.id}`);
  await screen.findByText('Connected');
  await expectTitles('Payment failed', 'Order failed');
  await findButton('Source');
  const field = screen.getByRole('combobox', { name: 'Search alerts' });
  await user.type(field, 'order');
  await waitFor(() => expect(new URLSearchParams(location.search).get('search')).toBe('order'));
  await expectTitles('Order failed');
  await user.click(await screen.findByRole('button', { name: 'Save as view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as view' }));
  expect(dialog.getByLabelText('Filter')).toHaveValue(`source:${old.id} order`);
  await user.type(dialog.getByLabelText('Name'), `Orders ${old.id}{Enter}`);
  await screen.findByRole('heading', { level: 1, name: `Orders ${old.id}` });
  await expectTitles('Order failed');
});

test('beside a search each list counts, and leads to, what menus and severities leave of it', async () => {
  await postFour();
  const queue = await queueOf(app, mara);
  await queue.accept(report('Disk slow', 'critical'));
  await queue.accept(report('Disk warm', 'warning'));
  const user = await openPage(mara, '/?severity=critical&search=disk');
  await screen.findByText('Connected');
  await expectTitles('Disk full too', 'Disk full');
  const lists = within(await screen.findByRole('navigation', { name: 'Search in' }));
  await waitFor(() => expect(lists.getByRole('link', { name: /^My Alerts/ })).toHaveTextContent(/^My Alerts1$/));
  await user.click(lists.getByRole('link', { name: /^My Alerts/ }));
  await expectTitles('Disk slow');
});

test('queues and all alerts are filtered and sorted by severity, too', async () => {
  const queue = await queueOf(app, mara);
  for (const [title, level] of [
    ['Disk full', 'warning'],
    ['Latency', 'critical'],
    ['Version released', 'info'],
  ] as const)
    await queue.accept(report(title, level));
  const user = await openPage(mara, '/my-alerts');
  await user.click(await screen.findByRole('radio', { name: 'Severity' }));
  await expectTitles('Latency', 'Disk full', 'Version released');
  // Its order is remembered.
  await expectStoredOrder('mine');
  await openPage(mara, '/my-alerts?severity=info&severity=warning');
  await expectTitles('Disk full', 'Version released');

  // Somebody new: the server remembers how the administrator of an attempt before sorted.
  const admin = await openPage(await app.addMember('Ann Ashby', 'admin'), '/admin/alerts');
  await admin.click(await findButton('Sort'));
  await expectTitles('Latency', 'Disk full', 'Version released');
  await admin.click(await findButton('Severity'));
  await admin.click(await severity('Info'));
  await admin.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('main')).toHaveTextContent('1 found'));
  await expectTitles('Version released');
  await admin.type(screen.getByPlaceholderText('Search by customer, URL, or payload...'), 'latency');
  expect(await screen.findByText('Try adjusting your filters')).toBeVisible();
  await admin.click(screen.getByRole('button', { name: 'Clear filters' }));
  await expectTitles('Latency', 'Disk full', 'Version released');
  expect(location.search).toBe('?sort=severity');
});
