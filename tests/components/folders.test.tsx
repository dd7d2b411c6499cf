import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import {
  ADMINISTRATOR,
  expectFolderCount,
  findCard,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
  findToast,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
});

/** A folder's row in the sidebar's tree; its accessible name goes on with its count. */
const folder = (name: string) => screen.findByRole('treeitem', { name: new RegExp(`^${name}( [\\d+]+ open|$)`) });
const names = () =>
  screen.queryAllByRole('treeitem').map((row) => row.querySelector('.folder-tree__name')?.textContent ?? '');
const expectNames = (...expected: string[]) => waitFor(() => expect(names()).toEqual(expected));
const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

describe('the tree', () => {
  test('is worked with the keyboard', async () => {
    const urgent = await queue.folder('Urgent');
    await queue.folder('Payments', { parentId: urgent });
    await queue.folder('Infrastructure');
    await queue.folder('Releases');
    const user = await openPage(mara, '/');
    const press = async (keys: string, focused: string) => {
      await user.keyboard(keys);
      expect(await folder(focused)).toHaveFocus();
    };
    (await folder('Urgent')).focus();
    await press('{ArrowRight}', 'Payments');
    await press('{ArrowDown}', 'Infrastructure');
    await press('{End}', 'Releases');
    await press('{Home}', 'Urgent');
    await press('{ArrowLeft}', 'Urgent');
    expect(await folder('Urgent')).toHaveAttribute('aria-expanded', 'false');
    await expectNames('Urgent', 'Infrastructure', 'Releases');
    await press('{ArrowRight}', 'Urgent');
    await expectNames('Urgent', 'Payments', 'Infrastructure', 'Releases');
    await press('{ArrowRight}', 'Payments');
    await press('{ArrowLeft}', 'Urgent');
    await press('rel', 'Releases');
    await user.keyboard('{Enter}');
    await heading('Releases');
    expect(await folder('Releases')).toHaveAttribute('aria-current', 'page');
  });

  test('stays collapsed where it was, also in the next page', async () => {
    await queue.folder('Payments', { parentId: await queue.folder('Urgent') });
    const user = await openPage(mara, '/');
    const caret = (await folder('Urgent')).querySelector('.folder-tree__caret');
    if (!caret) throw new Error('Urgent has nothing to collapse it by.');
    await user.click(caret);
    await expectNames('Urgent');
    await openPage(mara, '/', { keepsStorage: true });
    await expectNames('Urgent');
    expect(await folder('Urgent')).toHaveAttribute('aria-expanded', 'false');
  });

  test('counts the alerts that are not completed, live', async () => {
    const urgent = await queue.folder('Urgent');
    const [one, other] = [await queue.accept({ customer: 'One' }), await queue.accept({ customer: 'Two' })];
    for (const id of [one, other]) await queue.file(id, urgent);
    await queue.setStatus(one, 'completed');
    await openPage(mara, '/my-alerts');
    await screen.findByText('Connected');
    await expectFolderCount('Urgent', '1');
    await queue.setStatus(other, 'completed');
    await expectFolderCount('Urgent', '');
    await queue.setStatus(other, 'in-progress');
    await expectFolderCount('Urgent', '1');
    // Somebody else returns it to the inbox.
    await app.admin.request('POST', `/api/alerts/${other}/unaccept`);
    await expectFolderCount('Urgent', '');
  });

  test('follows what happens in the member’s other windows', async () => {
    await openPage(mara, '/');
    await screen.findByText('Connected');
    expect(await screen.findByText('No folders yet')).toBeVisible();
    const id = await queue.folder('Made elsewhere');
    await expectNames('Made elsewhere');
    await queue.client.request('DELETE', `/api/folders/${id}`);
    expect(await screen.findByText('No folders yet')).toBeVisible();
  });
});

test('a folder whose deletion fails comes back', async () => {
  await queue.folder('Urgent');
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  intercept('DELETE', /^\/api\/folders\//, () => refusal(503, 'The database is away.'));
  (await folder('Urgent')).focus();
  await user.keyboard('{Delete}');
  expect(await screen.findByText('No folders yet')).toBeVisible();
  const toast = await findToast('Folder deleted');
  await user.click(within(toast).getByRole('button', { name: 'Close' }));
  expect(await findToast('Could not delete the folder')).toHaveTextContent('The database is away.');
  await expectNames('Urgent');
});

test('leaving the page sends a deletion that can still be undone', async () => {
  await queue.folder('Urgent');
  const user = await openPage(mara, '/');
  (await folder('Urgent')).focus();
  await user.keyboard('{Delete}');
  await findToast('Folder deleted');
  expect(await queue.folders()).toHaveLength(1);
  dispatchEvent(new Event('pagehide'));
  await waitFor(async () => expect(await queue.folders()).toEqual([]));
});

test('folders are their owner’s alone', async () => {
  const urgent = await queue.folder('Hers alone');
  const user = await openPage(ADMINISTRATOR, `/folder/${urgent}`);
  expect(await screen.findByText('Folder not found')).toBeVisible();
  expect(screen.queryByText('Hers alone')).toBeNull();
  const main = screen.getByRole('navigation', { name: 'Main' });
  await user.click(within(main).getByRole('link', { name: /New Alerts/ }));
  await heading('New Alerts');
});

test('a name that would turn the line around or hide is shown as it is', async () => {
  const urgent = await queue.folder('\u202Egpj.exe <b>ملفات</b> 🔥');
  await queue.file(await queue.accept({ customer: 'One' }), urgent);
  const user = await openPage(mara, `/folder/${urgent}`);
  const shown = 'gpj.exe <b>ملفات</b> 🔥';
  await heading(shown);
  await expectNames(shown);
  await user.click(within(await findCard('One')).getByRole('button', { name: 'More actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Remove from folder' })).toBeVisible();
});
