import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  activeOption,
  expectCards,
  expectCount,
  expectFolderCount,
  findCard,
  findToast,
  intercept,
  openCardMenu,
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

const sort = (name: string) => within(screen.getByRole('radiogroup', { name: 'Sort' })).getByRole('radio', { name });
const item = (name: string | RegExp) => screen.findByRole('menuitem', { name });
const moveEntries = () =>
  within(screen.getByRole('menu', { name: 'Move to' }))
    .getAllByRole('menuitem')
    .map(({ textContent }) => textContent);

describe('the queue', () => {
  test('that is empty leads to the inbox', async () => {
    await openPage(mara, PATH);
    expect(await screen.findByText('No alerts yet')).toBeVisible();
    expect(screen.getByText('Accept alerts from the inbox to see them here in your personal queue.')).toBeVisible();
  });

  test('is sorted newest first, oldest first or by status, as the server answers it', async () => {
    for (const [customer, status] of [
      ['First', 'accepted'],
      ['Second', 'in-progress'],
      ['Third', 'accepted'],
      ['Fourth', 'in-progress'],
    ] as const)
      await queue.setStatus(await queue.accept({ customer }), status);
    const asked: string[] = [];
    intercept('GET', '/api/alerts/mine', ({ url }, go) => {
      asked.push(url.searchParams.get('sort') ?? '');
      return go();
    });
    const user = await openPage(mara, PATH);
    await expectCards('Fourth', 'Third', 'Second', 'First');
    await expectCount('4 in your queue');
    expect(sort('Newest')).toBeChecked();
    await user.click(sort('Oldest'));
    await expectCards('First', 'Second', 'Third', 'Fourth');
    expect(asked.at(-1)).toBe('oldest');
    expect(location.search).toBe('?sort=oldest');
    await user.click(sort('By Status'));
    await expectCards('Third', 'First', 'Fourth', 'Second');
    // A change of status takes its card to its place at once.
    await user.click(within(await findCard('Fourth')).getByRole('radio', { name: 'Accepted' }));
    await expectCards('Fourth', 'Third', 'First', 'Second');
    await openPage(mara, location.pathname + location.search);
    await expectCards('Fourth', 'Third', 'First', 'Second');
    expect(sort('By Status')).toBeChecked();
  });

  test('takes what is accepted elsewhere in its place', async () => {
    const old = await app.post({ customer: 'Old' });
    await queue.accept({ customer: 'Newer' });
    await openPage(mara, `${PATH}?sort=oldest`);
    await screen.findByText('Connected');
    await expectCards('Newer');
    await queue.client.request('POST', `/api/alerts/${old}/accept`);
    await expectCards('Old', 'Newer');
  });

  test('follows what is moved in another window', async () => {
    const folder = await queue.folder('Urgent');
    const id = await queue.accept({ customer: 'One' });
    const user = await openPage(mara, PATH);
    await screen.findByText('Connected');
    await findCard('One');
    await queue.file(id, folder);
    expect(await screen.findByText('No alerts yet')).toBeVisible();
    await expectFolderCount('Urgent', '1');
    await user.click(within(await screen.findByRole('treeitem', { name: /^Urgent/ })).getByRole('link'));
    await findCard('One');
    await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
    expect(await screen.findByText('No alerts yet')).toBeVisible();
  });
});

describe('a card’s menu', () => {
  test('has nowhere to move to without folders', async () => {
    await queue.accept({ customer: 'One' });
    const user = await openPage(mara, PATH);
    expect(await openCardMenu(user, 'One')).toEqual([
      'UnacceptU',
      'Assign…⇧A',
      'SnoozeS',
      'MuteL',
      'Write a noteC',
      'Alert historyH',
      'Copy linkY',
    ]);
  });

  test('has Delete for administrators alone', async () => {
    await queue.accept({ customer: 'Hers' });
    await (await queueOf(app, ADMINISTRATOR)).accept({ customer: 'His alone' });
    const hers = await openPage(mara, PATH);
    expect(await openCardMenu(hers, 'Hers')).not.toContainEqual(expect.stringContaining('Delete'));
    const his = await openPage(ADMINISTRATOR, PATH);
    await openCardMenu(his, 'His alone');
    await his.click(await item('Delete'));
    await findToast('Alert deleted');
  });

  test('moves an alert to a folder, which Undo takes back; its history shows both', async () => {
    const urgent = await queue.folder('Urgent', { color: 'red' });
    await queue.folder('Payments', { parentId: urgent });
    await queue.accept({ customer: 'One' });
    const user = await openPage(mara, PATH);
    await openCardMenu(user, 'One');
    await user.click(await item('Move to'));
    expect(moveEntries()).toEqual(['Move to Urgent', 'Move to Payments']);
    expect(screen.queryByRole('combobox', { name: 'Filter folders' })).toBeNull();
    await user.click(await item('Move to Payments'));
    const toast = await findToast('Alert moved');
    expect(toast).toHaveTextContent('Moved to Payments');
    expect(await screen.findByText('No alerts yet')).toBeVisible();
    await expectFolderCount('Payments', '1');
    await expectFolderCount('Urgent', '');
    await user.click(within(toast).getByRole('button', { name: /^Undo/ }));
    await findCard('One');
    await expectFolderCount('Payments', '');
    await user.click(within(await findCard('One')).getByRole('button', { name: 'Alert history' }));
    const history = await screen.findByRole('dialog', { name: 'Alert History' });
    expect(await within(history).findAllByText('Move Folder')).toHaveLength(2);
    for (const text of ['None → Payments', 'Payments → None', 'By Mara Lindqvist'])
      expect(history).toHaveTextContent(text);
  });

  test('an alert that others change while its history is read has one all the same', async () => {
    const id = await queue.accept({ customer: 'One' });
    const asked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    // The first answer is from before the change, and comes after it.
    intercept('GET', `/api/alerts/${id}/history`, async (_call, go) => {
      const answer = await go();
      asked.resolve();
      await changed.promise;
      return answer;
    });
    const user = await openPage(mara, PATH);
    await screen.findByText('Connected');
    await user.click(within(await findCard('One')).getByRole('button', { name: 'Alert history' }));
    await asked.promise;
    await queue.client.request('POST', '/api/alerts/bulk', { action: 'status', ids: [id], status: 'completed' });
    const history = await screen.findByRole('dialog', { name: 'Alert History' });
    changed.resolve();
    const texts = new Set<string>();
    await waitFor(() => {
      texts.add(history.textContent);
      expect(history).toHaveTextContent('Accepted → Completed');
    });
    expect([...texts].filter((text) => text.includes('No history available'))).toEqual([]);
  });

  test('filters folders from eight on, all by the keyboard', async () => {
    for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta', 'Theta']) await queue.folder(name);
    await queue.accept({ customer: 'One' });
    const user = await openPage(mara, PATH);
    within(await findCard('One'))
      .getByRole('button', { name: 'More actions' })
      .focus();
    await user.keyboard('{Enter}');
    await waitFor(async () => expect(await item('Unaccept')).toHaveFocus());
    await user.keyboard('{ArrowDown}');
    expect(await item('Move to')).toHaveFocus();
    await user.keyboard('{Home}m');
    expect(await item('Move to')).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    const field = await screen.findByRole('combobox', { name: 'Filter folders' });
    await waitFor(() => expect(field).toHaveFocus());
    const folders = within(screen.getByRole('listbox', { name: 'Move to' }));
    const names = () => folders.getAllByRole('option').map(({ textContent }) => textContent);
    expect(names()).toHaveLength(8);
    // With nothing typed, Enter chooses nothing; what is typed is not for the menu around, which has "Assign…".
    await user.keyboard('{Enter}a{Home}{Delete}ETA');
    expect(field).toHaveValue('ETA');
    await waitFor(() => expect(names()).toEqual(['Move to Beta', 'Move to Zeta', 'Move to Eta', 'Move to Theta']));
    expect(activeOption(field)).toHaveTextContent('Move to Beta');
    await user.keyboard('{ArrowDown}');
    expect(activeOption(field)).toHaveTextContent('Move to Zeta');
    await user.keyboard('{Escape}');
    await waitFor(async () => expect(await item('Move to')).toHaveFocus());
    await user.keyboard('{ArrowRight}');
    const again = await screen.findByRole('combobox', { name: 'Filter folders' });
    await waitFor(() => expect(again).toHaveFocus());
    expect(again).toHaveValue('');
    await user.keyboard('zet{Enter}');
    await findToast('Moved to Zeta');
  });

  test('takes a move back that fails, and reports it', async () => {
    await queue.folder('Urgent');
    await queue.accept({ customer: 'One' });
    intercept('PATCH', /^\/api\/webhooks\/[^/]+\/move$/, () => refusal(503, 'The database is away.'));
    const user = await openPage(mara, PATH);
    await openCardMenu(user, 'One');
    await user.click(await item('Move to'));
    await user.click(await item('Move to Urgent'));
    expect(await findToast('Could not move the alert')).toHaveTextContent('The database is away.');
    await findCard('One');
    await expectFolderCount('Urgent', '');
  });
});
