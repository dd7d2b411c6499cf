import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
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

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
});

const main = () => within(screen.getByRole('main'));
const item = (name: string | RegExp) => screen.findByRole('menuitem', { name });

const expectToBeInProgress = () =>
  waitFor(async () => expect(within(await findCard('One')).getByRole('radio', { name: 'In Progress' })).toBeChecked());

/** A folder with one alert in it, opened. */
async function openFolder(name: string, customer: string, person = mara) {
  const theirs = person === mara ? queue : await queueOf(app, person);
  const folder = await theirs.folder(name, { color: 'purple' });
  const id = await theirs.accept({ customer });
  await theirs.file(id, folder);
  const user = await openPage(person, `/folder/${folder}`);
  await findCard(customer);
  // What changed until then is read again with it, which closes an open menu.
  await screen.findByText('Connected');
  return { user, id, folder };
}

test('a folder shows its name, its count and its alerts', async () => {
  await queue.accept({ customer: 'Outside' });
  await openFolder('Databases', 'Inside');
  const heading = screen.getByRole('heading', { name: 'Databases' });
  expect(heading.closest('.page-head__head')?.querySelector('.folder-dot__folderDot_purple')).not.toBeNull();
  await expectCount('1 in this folder');
  await expectCards('Inside');
});

test('an empty folder says how to fill it, and an unknown one is not found', async () => {
  const folder = await queue.folder('Databases');
  const user = await openPage(mara, `/folder/${folder}`);
  expect(await screen.findByText('Databases is empty')).toBeVisible();
  expect(screen.getByText('Move alerts from your queue to organize them in this folder.')).toBeVisible();
  await user.click(within(screen.getByRole('main')).getByRole('button', { name: 'My Alerts' }));
  expect(await screen.findByText('No alerts yet')).toBeVisible();
  for (const id of ['01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80', 'nonsense']) {
    await openPage(mara, `/folder/${id}`);
    expect(await screen.findByText('Folder not found')).toBeVisible();
    expect(screen.getByText('This folder may have been deleted.')).toBeVisible();
  }
});

test('without its list or the folders the page says so, and trying again helps', async () => {
  const folder = await queue.folder('Databases');
  for (const [path, words] of [
    [/^\/api\/alerts\/folder\//, 'Failed to fetch folder alerts'],
    ['/api/folders', 'Your folders could not be loaded'],
  ] as const) {
    const restore = intercept('GET', path, () => refusal(503, 'Away'));
    const user = await openPage(mara, `/folder/${folder}`);
    await waitFor(() => expect(main().getByText(words)).toBeVisible());
    restore();
    await user.click(main().getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(main().getByText('Databases is empty')).toBeVisible());
  }
});

describe('the card’s menu', () => {
  test('has what a member may do, and the other folders', async () => {
    await queue.folder('There');
    const { user } = await openFolder('Here', 'One');
    expect(await openCardMenu(user, 'One')).toEqual([
      'UnacceptU',
      'Remove from folder',
      'Move toM',
      'Assign…⇧A',
      'SnoozeS',
      'MuteL',
      'Write a noteC',
      'Alert historyH',
      'Copy linkY',
    ]);
    await user.click(await item('Move to'));
    expect(screen.getAllByRole('menuitem', { name: /^Move to ./ }).map(({ textContent }) => textContent)).toEqual([
      'Move to There',
    ]);
  });

  test('has Delete for an administrator, which can be undone', async () => {
    const { user, folder } = await openFolder(`Admin’s ${Date.now()}`, 'Doomed', ADMINISTRATOR);
    const remove = async () => {
      await openCardMenu(user, 'Doomed');
      await user.click(await item('Delete'));
      return within(await findToast('Alert deleted'));
    };
    await user.click((await remove()).getByRole('button', { name: /^Undo/ }));
    await findCard('Doomed');
    await user.click((await remove()).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText(/is empty/)).toBeVisible();
    await app.admin.request('DELETE', `/api/folders/${folder}`);
  });

  test('takes the alert back to the queue, which can be undone; one that an administrator returns to the inbox leaves, too', async () => {
    const { user, id } = await openFolder('Here', 'One');
    await openCardMenu(user, 'One');
    await user.click(await item('Remove from folder'));
    const toast = await findToast('Alert moved');
    expect(toast).toHaveTextContent('Moved to My Alerts');
    expect(await screen.findByText('Here is empty')).toBeVisible();
    await expectFolderCount('Here', '');
    expect(await queue.mine()).toEqual([id]);
    await user.click(within(toast).getByRole('button', { name: /^Undo/ }));
    await findCard('One');
    await expectFolderCount('Here', '1');

    await app.admin.request('POST', `/api/alerts/${id}/unaccept`);
    expect(await screen.findByText('Here is empty')).toBeVisible();
    await expectFolderCount('Here', '');
  });

  test('returns a filed alert to the inbox, which Undo takes back with its folder and status', async () => {
    const { user, id, folder } = await openFolder('Here', 'One');
    await queue.setStatus(id, 'in-progress');
    await expectToBeInProgress();
    await openCardMenu(user, 'One');
    await user.click(await item('Unaccept'));
    const toast = await findToast(/returned|inbox/i);
    expect(await screen.findByText('Here is empty')).toBeVisible();
    await user.click(within(toast).getByRole('button', { name: /^Undo/ }));
    await expectToBeInProgress();
    await openPage(mara, `/folder/${folder}`);
    await expectToBeInProgress();
  });
});

test('moving on to another folder shows there, and in the counts of other windows', async () => {
  const { user, id } = await openFolder('Here', 'One');
  const there = await queue.folder('There');
  await screen.findByRole('treeitem', { name: /^There/ });
  await openCardMenu(user, 'One');
  await user.click(screen.getByRole('menuitem', { name: 'Move to' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Move to There' }));
  await findToast('Moved to There');
  expect(await screen.findByText('Here is empty')).toBeVisible();

  // Another window of theirs has that folder open.
  await openPage(mara, `/folder/${there}`);
  await findCard('One');
  await screen.findByText('Connected');
  await expectFolderCount('There', '1');
  await expectFolderCount('Here', '');
  const here = (await queue.folders()).find(({ name }) => name === 'Here')?.id ?? '';
  await queue.file(id, here);
  expect(await screen.findByText('There is empty')).toBeVisible();
  await expectFolderCount('Here', '1');
  await queue.file(id, there);
  await findCard('One');
  await expectFolderCount('There', '1');
  await expectFolderCount('Here', '');
});
