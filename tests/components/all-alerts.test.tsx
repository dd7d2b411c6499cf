import { screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AppServer, startAppServer } from '#tests/e2e/support/app-server.ts';
import { oneOfEach, queueOf } from '#tests/e2e/support/queue.ts';
import { choosePerson } from './support/choose-person.ts';
import { ADMINISTRATOR, expectCards, findCard, findToast, intercept, openPage, refusal } from './support/open-page.tsx';

const PATH = '/admin/alerts';

// Its own: every alert of the server is on this page.
let app: AppServer;
beforeAll(async () => {
  app = await startAppServer({}, 'backend/main.ts');
});
afterAll(() => app.dispose());
beforeEach(() => app.clear());

const stats = () => [...document.querySelectorAll('.all-alerts-page__stat')].map(({ textContent }) => textContent);

const EACH = ['Done Ltd', 'Working Ltd', 'Accepted Ltd', 'Waiting Ltd'];
const statuses = () => within(screen.getByRole('radiogroup', { name: 'Status' })).getAllByRole('radio');
const status = (name: string) =>
  within(screen.getByRole('radiogroup', { name: 'Status' })).getByRole('radio', { name });
const searchBox = () => screen.getByPlaceholderText('Search by customer, URL, or payload...');
const expectSearch = (search: string) => waitFor(() => expect(location.search).toBe(search));

test('every alert is there with its status, whose it is and how many there are', async () => {
  await oneOfEach(app);
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  expect(await screen.findByRole('heading', { level: 1, name: 'System-Wide Alerts' })).toBeVisible();
  await expectCards(...EACH);
  await waitFor(() => expect(stats()).toEqual(['Total4', 'Pending1', 'Accepted1', 'In Progress1', 'Completed1']));
  expect(await findCard('Waiting Ltd')).toHaveTextContent(/Pending.*Unassigned/);
  for (const [customer, word] of [
    ['Accepted Ltd', 'Accepted'],
    ['Working Ltd', 'In Progress'],
    ['Done Ltd', 'Completed'],
  ] as const) {
    expect(await findCard(customer)).toHaveTextContent(`${word}Assigned`);
    expect(await findCard(customer)).toHaveTextContent('Administrator');
  }
  // To be looked at only: nothing in a card changes it.
  const feed = within(screen.getByRole('feed', { name: 'System-Wide Alerts' }));
  expect(feed.queryAllByRole('radio')).toEqual([]);
  expect(feed.queryAllByRole('button', { name: /^Accept$|^Delete|^More actions/ })).toEqual([]);
  await user.click(within(await findCard('Done Ltd')).getByRole('button', { name: 'Alert history' }));
  const history = await screen.findByRole('dialog');
  await waitFor(() => expect(history).toHaveTextContent('Accepted → Completed'));
});

test('status buttons and a search of customer, URL and payload narrow the list', async () => {
  await oneOfEach(app);
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  await expectCards(...EACH);
  expect(statuses().map((radio) => radio.textContent)).toEqual([
    'All',
    'Pending',
    'Accepted',
    'In Progress',
    'Completed',
  ]);
  expect(status('All')).toBeChecked();
  for (const [name, param, customer] of [
    ['Pending', 'pending', 'Waiting Ltd'],
    ['Accepted', 'accepted', 'Accepted Ltd'],
    ['In Progress', 'in-progress', 'Working Ltd'],
    ['Completed', 'completed', 'Done Ltd'],
  ] as const) {
    await user.click(status(name));
    await expectSearch(`?status=${param}`);
    await expectCards(customer);
  }
  const again = await openPage(ADMINISTRATOR, `${PATH}?status=completed`, { app });
  await expectCards('Done Ltd');
  expect(status('Completed')).toBeChecked();
  await again.click(status('All'));
  await expectSearch('');
  await expectCards(...EACH);

  for (const [text, customer] of [
    ['WORKING l', 'Working Ltd'],
    ['status.example/INCIDENT', 'Waiting Ltd'],
    ['of done', 'Done Ltd'],
  ] as const) {
    await again.clear(searchBox());
    await again.type(searchBox(), text);
    await expectCards(customer);
    await waitFor(() => expect(screen.getByRole('main')).toHaveTextContent('1 found'));
    await waitFor(() => expect(new URLSearchParams(location.search).get('q')).toBe(text));
  }
  await again.click(status('Pending'));
  expect(await screen.findByText('No alerts found')).toBeVisible();
  expect(screen.getByText('Try adjusting your filters')).toBeVisible();
  const last = await openPage(ADMINISTRATOR, `${PATH}${location.search}`, { app });
  await screen.findByText('Try adjusting your filters');
  expect(searchBox()).toHaveValue('of done');
  await last.click(screen.getByRole('button', { name: 'Clear filters' }));
  await expectSearch('');
  await waitFor(() => expect(searchBox()).toHaveValue(''));
  await expectCards(...EACH);
});

test('a list that cannot be read says so; then an empty system does', async () => {
  const restore = intercept('GET', '/api/alerts/all', () => refusal(503, 'The database is away.'));
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  expect(await screen.findByText('System-Wide Alerts could not be loaded')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No alerts found')).toBeVisible();
  expect(screen.getByText('No alerts in the system yet')).toBeVisible();
  await waitFor(() => expect(stats()).toEqual(['Total0', 'Pending0', 'Accepted0', 'In Progress0', 'Completed0']));
});

test('a list is not said to be empty before it is read, where the filters that found nothing are cleared', async () => {
  await app.post({ title: 'Disk almost full' });
  const user = await openPage(ADMINISTRATOR, `${PATH}?customer=Nobody`, { app });
  const clear = await screen.findByRole('button', { name: 'Clear filters' });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept('GET', '/api/alerts/all', async (_call, go) => {
    await isReleased;
    return go();
  });
  await user.click(clear);
  await expectSearch('');
  expect(screen.queryByText('Try adjusting your filters')).toBeNull();
  expect(screen.queryByText('No alerts in the system yet')).toBeNull();
  release();
  await findCard('Disk almost full');
});

test('an alert is given to somebody from its card; a super user sees it, too', async () => {
  // A name of their own: an earlier attempt has added somebody, too.
  const wanda = await app.addMember(`Wanda ${crypto.randomUUID().slice(0, 8)}`);
  const id = await app.post({ title: 'Disk almost full', customer: 'Nordwind' });
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  await screen.findByText('Connected');
  await user.click(within(await findCard('Disk almost full')).getByRole('button', { name: 'Assign' }));
  await choosePerson(user, wanda.displayName);
  await findToast(`Assigned to ${wanda.displayName}`);
  await waitFor(async () => expect(await findCard('Disk almost full')).toHaveTextContent('Assigned'));
  expect(await (await queueOf(app, wanda)).mine()).toEqual([id]);
  await openPage(await app.addMember('Sunniva Berg', 'super_user'), PATH, { app });
  expect(await findCard('Disk almost full')).toHaveTextContent(wanda.displayName);
});

const expectCard = (text: string) =>
  waitFor(async () => expect(await findCard('Harbour Lights')).toHaveTextContent(text));

const expectStat = (text: string) => waitFor(() => expect(stats()).toContain(text));

test('what others do is seen at once, in the list, its filters and its numbers', async () => {
  const mara = await queueOf(app, await app.addMember('Mara Lindqvist'));
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  await screen.findByText('Connected');
  expect(await screen.findByText('No alerts in the system yet')).toBeVisible();
  const id = await app.post({ customer: 'Harbour Lights' });
  await expectCard('PendingUnassigned');
  await expectStat('Pending1');
  await mara.client.request('POST', `/api/alerts/${id}/accept`);
  await expectCard('AcceptedAssignedMara Lindqvist');
  await expectStat('Accepted1');

  await user.click(status('In Progress'));
  expect(await screen.findByText('Try adjusting your filters')).toBeVisible();
  await mara.setStatus(id, 'in-progress');
  await expectCard('In Progress');
  await mara.setStatus(id, 'completed');
  await expectCards();
  await user.click(status('All'));
  await expectCard('Completed');

  await mara.client.request('POST', `/api/alerts/${id}/unaccept`);
  await expectCard('PendingUnassigned');
  await user.type(searchBox(), 'harbour');
  await waitFor(() => expect(location.search).toContain('harbour'));
  await expectCards('Harbour Lights');
  await app.post({ customer: 'Harbour Bridge' });
  await expectCards('Harbour Bridge', 'Harbour Lights');
  await app.clear();
  expect(await screen.findByText('Try adjusting your filters')).toBeVisible();
  await expectStat('Total0');
});

test('the box, the search in the header and the statuses are one filter', async () => {
  await oneOfEach(app);
  const user = await openPage(ADMINISTRATOR, PATH, { app });
  const field = await screen.findByRole('combobox', { name: 'Search alerts' });
  await user.type(searchBox(), 'working');
  await waitFor(() => expect(field).toHaveValue('working'));
  await user.clear(field);
  await user.type(field, 'done status:completed ');
  await waitFor(() => expect(searchBox()).toHaveValue('done'));
  expect(status('Completed')).toBeChecked();
  await expectCards('Done Ltd');
  await user.click(status('All'));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove status: completed' })).toBeNull());
  await user.clear(searchBox());
  await waitFor(() => expect(field).toHaveValue(''));
  await expectSearch('');
});
