import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { awayFromMidnight } from './support/away-from-midnight.ts';
import {
  expectCards,
  expectCount,
  expectFolderCount,
  findCard,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

const PATH = '/my-alerts';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
});

/** The row of a card, which takes the focus. */
const rowOf = async (customer: string): Promise<HTMLElement> => {
  const row = (await findCard(customer)).closest('article');
  if (!row) throw new Error(`${customer} has no row.`);
  return row;
};
const groupRow = () => screen.findByRole('button', { name: /^Completed/ });
const expectGroup = (name: string, isOpen = false) =>
  waitFor(() => {
    const button = screen.getByRole('button', { name: new RegExp(`^${name.replaceAll(/[()]/g, String.raw`\$&`)} `) });
    expect(button).toHaveAttribute('aria-expanded', String(isOpen));
  });
const complete = async (...customers: string[]): Promise<string[]> => {
  const ids: string[] = [];
  for (const customer of customers) {
    const id = await queue.accept({ customer });
    await queue.setStatus(id, 'completed');
    ids.push(id);
  }
  return ids;
};
const status = async (customer: string, name: string) => within(await findCard(customer)).getByRole('radio', { name });

describe('completed alerts', () => {
  test('stand in one closed group below the open ones, which alone are counted', async () => {
    await awayFromMidnight();
    await complete('Done first', 'Done last');
    await queue.setStatus(await queue.accept({ customer: 'Working' }), 'in-progress');
    await queue.accept({ customer: 'Open' });
    const user = await openPage(mara, PATH);
    await expectCards('Open', 'Working');
    await expectCount('2 in your queue · 1 accepted, 1 in progress');
    expect(await screen.findByRole('link', { name: 'My Alerts, 2 open' })).toBeVisible();
    await expectGroup('Completed (2)');
    expect(await groupRow()).toHaveAccessibleName(/^Completed \(2\) all today last: /);
    await user.click(await groupRow());
    await expectCards('Open', 'Working', 'Done last', 'Done first');
    await expectGroup('Completed (2)', true);
    await user.click(await groupRow());
    await expectCards('Open', 'Working');
  });

  test('are shown again where the member left them open, list by list', async () => {
    await complete('Done');
    const folder = await queue.folder('Urgent');
    const [filed = ''] = await complete('Filed');
    await queue.file(filed, folder);
    const user = await openPage(mara, PATH);
    await user.click(await groupRow());
    await findCard('Done');
    await waitFor(async () =>
      expect(await (await queue.client.request('GET', '/api/auth/session')).json()).toMatchObject({
        openGroups: ['mine'],
      }),
    );
    await openPage(mara, PATH);
    await findCard('Done');
    await openPage(mara, `/folder/${folder}`);
    await expectGroup('Completed (1)');
    expect(screen.queryByText('Filed')).toBeNull();
  });

  test('leave the open ones at once in number, and the focus goes to the next open card', async () => {
    await queue.accept({ customer: 'Second' });
    await queue.accept({ customer: 'First' });
    const user = await openPage(mara, PATH);
    await findCard('Second');
    (await rowOf('First')).focus();
    await user.keyboard('e');
    // It has been answered then, and its time to be undone stands still.
    await findToast('Status updated');
    await expectGroup('Completed (1)');
    await expectCount('1 in your queue · 1 accepted');
    await waitFor(async () => expect(await rowOf('Second')).toHaveFocus());
    await waitFor(() => expect(screen.queryByText('First', { selector: 'article *' })).toBeNull());
    await user.keyboard('e');
    // Both are one result by now.
    await findToast('2 changed to Completed');
    await screen.findByRole('heading', { name: 'Nothing open' });
    await waitFor(async () => expect(await groupRow()).toHaveFocus());
    await expectGroup('Completed (2)');
    await user.keyboard('z');
    await expectCards('First', 'Second');
    await expectCount('2 in your queue · 2 accepted');
  });

  test('are reached, opened and closed by keys; the focus moves through both parts', async () => {
    await complete('Done');
    await queue.accept({ customer: 'Open' });
    const user = await openPage(mara, PATH);
    await groupRow();
    (await rowOf('Open')).focus();
    await user.keyboard('{ArrowDown}');
    expect(await groupRow()).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    await findCard('Done');
    await user.keyboard('{ArrowDown}');
    await waitFor(async () => expect(await rowOf('Done')).toHaveFocus());
    await user.keyboard('{ArrowUp}{ArrowLeft}');
    await waitFor(() => expect(screen.queryByText('Done', { selector: 'article *' })).toBeNull());
    expect(await groupRow()).toHaveFocus();
    await user.keyboard('{Enter}');
    await findCard('Done');
    await user.keyboard('{Home}');
    await waitFor(async () => expect(await rowOf('Open')).toHaveFocus());
    await user.keyboard('{End}');
    await waitFor(async () => expect(await rowOf('Done')).toHaveFocus());
  });

  test('are among the open ones again once their status is another', async () => {
    await complete('Done');
    await queue.accept({ customer: 'Open' });
    const user = await openPage(mara, PATH);
    await user.click(await groupRow());
    await user.click(await status('Done', 'In Progress'));
    await expectCount('2 in your queue · 1 accepted, 1 in progress');
    await expectCards('Open', 'Done');
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Completed/ })).toBeNull());
  });

  test('are opened by a search and by a filter while these find something in them', async () => {
    await complete('Nordwind', 'Atlas');
    await queue.accept({ customer: 'Atlas' });
    const user = await openPage(mara, `${PATH}?customer=Nordwind`);
    await expectCards('Nordwind');
    await expectGroup('Completed (1)', true);
    await user.click(await groupRow());
    await expectGroup('Completed (1)');
    await openPage(mara, `${PATH}?search=atlas`);
    await expectCards('Atlas', 'Atlas');
    const tabs = await screen.findByRole('navigation', { name: 'Search in' });
    expect(await within(tabs).findByRole('link', { name: 'My Alerts2' })).toBeVisible();
    await openPage(mara, `${PATH}?search=nobody`);
    expect(await screen.findByText('No alerts match “nobody”')).toBeVisible();
  });

  test('are not counted by the filters, which name them all the same', async () => {
    const folder = await queue.folder('Urgent');
    const add = async (severity: string, customer: string) => {
      const id = await queue.accept({ customer, severity });
      await queue.file(id, folder);
      return id;
    };
    await add('high', 'Open');
    await queue.setStatus(await add('high', 'Done'), 'completed');
    const user = await openPage(mara, `/folder/${folder}`);
    await findCard('Open');
    await user.click(await screen.findByRole('button', { name: /^Severity/ }));
    await waitFor(() => expect(screen.getByRole('menuitemcheckbox', { name: /^High/ })).toHaveTextContent(/^High1$/));
    await user.keyboard('{Escape}');
    await user.click(await screen.findByRole('button', { name: /^Customer/ }));
    expect(await screen.findByRole('menuitemradio', { name: /^Done/ })).toBeVisible();
  });

  test('are left out when everything is selected, and can be selected one by one', async () => {
    await complete('Done');
    await queue.accept({ customer: 'One' });
    await queue.accept({ customer: 'Two' });
    const user = await openPage(mara, PATH);
    await user.click(await groupRow());
    await findCard('Done');
    (await rowOf('One')).focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(await screen.findByText('2 selected', { selector: 'strong' })).toBeVisible();
    expect(within(await rowOf('Done')).getByRole('checkbox', { name: 'Select' })).not.toBeChecked();
    await user.click(within(await rowOf('Done')).getByRole('checkbox', { name: 'Select' }));
    expect(await screen.findByText('3 selected', { selector: 'strong' })).toBeVisible();
  });

  test('of which the list cannot be loaded say so, and are asked for again', async () => {
    await complete('Done');
    await queue.accept({ customer: 'Open' });
    let isAway = true;
    intercept('GET', '/api/alerts/mine', ({ url }, go) =>
      isAway && url.searchParams.get('completion') === 'completed' ? refusal(503, 'The database is away.') : go(),
    );
    const user = await openPage(mara, PATH);
    const row = await screen.findByRole('button', { name: /^Completed alerts could not be loaded/ });
    expect(row).toHaveAccessibleName(/The database is away\. Try again$/);
    isAway = false;
    await user.click(row);
    await expectGroup('Completed (1)');
  });
});

describe('where nothing is open', () => {
  test('what was done today is said, what waits, and nothing is handed over', async () => {
    await awayFromMidnight();
    // What waits is everybody's: other tests left some.
    await app.clear();
    await complete('One', 'Two');
    await app.post({ customer: 'Atlas', severity: 'critical', title: 'Down' });
    const user = await openPage(mara, PATH);
    await screen.findByRole('heading', { name: 'Nothing open' });
    expect(await screen.findByText('2 alerts of yours were completed today.')).toBeVisible();
    expect(await screen.findByText('1 critical one waits in New Alerts.')).toBeVisible();
    await expectCount('0 in your queue');
    expect(screen.getByRole('link', { name: 'My Alerts' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Hand over' })).toBeNull();
    await expectGroup('Completed (2)');
    await user.click(within(screen.getByRole('main')).getByRole('button', { name: /^New Alerts/ }));
    await screen.findByRole('heading', { level: 1, name: 'New Alerts' });
  });

  test('a queue that never had anything says how it fills', async () => {
    await openPage(mara, PATH);
    expect(await screen.findByText('No alerts yet')).toBeVisible();
    expect(screen.queryByText('Nothing open')).toBeNull();
  });

  test('a folder says the same, and counts what is open in the sidebar as in its head', async () => {
    const folder = await queue.folder('Urgent');
    const [done = ''] = await complete('Done');
    await queue.file(done, folder);
    await openPage(mara, `/folder/${folder}`);
    await screen.findByRole('heading', { name: 'Nothing open' });
    await expectCount('0 in this folder');
    await expectFolderCount('Urgent', '');
  });
});

describe('live', () => {
  test('what a colleague takes over, and another window completes, goes where it belongs', async () => {
    const id = await queue.accept({ customer: 'Elsewhere' });
    await queue.accept({ customer: 'Stays' });
    const user = await openPage(mara, PATH);
    await screen.findByText('Connected');
    await expectCards('Stays', 'Elsewhere');
    await queue.setStatus(id, 'completed');
    await expectGroup('Completed (1)');
    await expectCards('Stays');
    await user.click(await groupRow());
    await expectCards('Stays', 'Elsewhere');
    await queue.client.request('POST', `/api/alerts/${id}/unaccept`);
    await expectCards('Stays');
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Completed/ })).toBeNull());
  });

  test('a completion that the server refuses is taken back, with its number', async () => {
    await queue.accept({ customer: 'One' });
    intercept('PATCH', /^\/api\/webhooks\/[^/]+\/status$/, () => refusal(503, 'The database is away.'));
    const user = await openPage(mara, PATH);
    await user.click(await status('One', 'Completed'));
    await findToast('Could not change the status');
    await findCard('One');
    await expectCount('1 in your queue · 1 accepted');
    expect(screen.queryByRole('button', { name: /^Completed/ })).toBeNull();
  });
});
