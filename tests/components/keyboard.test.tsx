import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { findCard, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
});

const articles = () => screen.queryAllByRole('article');
const expectCount = (count: number) => waitFor(() => expect(articles()).toHaveLength(count));

const expectItem = (name: string) => waitFor(() => expect(screen.getByRole('menuitem', { name })).toHaveFocus());

test('the user menu is a menu: arrow keys, Home, End and letters move in it', async () => {
  const user = await openPage(mara, '/');
  const findButton = () => screen.findByRole('button', { name: new RegExp(mara.email) });
  (await findButton()).focus();
  for (const [keys, name] of [
    ['{Enter}', 'My account'],
    ['{ArrowDown}', 'Settings'],
    ['{End}', 'Logout'],
    ['{ArrowDown}', 'My account'],
    ['{ArrowUp}', 'Logout'],
    ['ab', 'About'],
  ] as const) {
    await user.keyboard(keys);
    await expectItem(name);
  }
  await user.keyboard('{Escape}');
  await waitFor(async () => expect(await findButton()).toHaveFocus());
});

test('a key that does nothing here says why, one line for the last of them', async () => {
  await app.post({ customer: 'Nordwind' });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await expectCount(1);
  await user.keyboard('ju');
  expect(await screen.findByText('There is nothing to unaccept here.')).toBeVisible();
  await user.keyboard('3');
  expect(await screen.findByText('There is no status to set here.')).toBeVisible();
  expect(screen.queryByText('There is nothing to unaccept here.')).toBeNull();
  expect(await app.inbox()).toHaveLength(1);
});

const status = async (name: string) => within(await findCard('Three')).getByRole('radio', { name });

test('a queue is completed, moved and returned by keys', async () => {
  await queue.folder('Urgent');
  for (const customer of ['One', 'Two', 'Three']) await queue.accept({ customer });
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await expectCount(3);
  await user.keyboard('j');
  await user.keyboard('2');
  await waitFor(async () => expect(await status('In Progress')).toBeChecked());
  // Undo takes back what was done last, which is when the server has answered.
  await findToast('Alert status changed to In Progress');
  await user.keyboard('{Control>}a{/Control}');
  await screen.findByRole('toolbar', { name: '3 selected' });
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: 'Move to Urgent' }));
  await findToast('3 moved');
  expect(await screen.findByText('No alerts yet')).toBeVisible();
  await user.keyboard('z');
  await expectCount(3);
  expect(await status('In Progress')).toBeChecked();
  await user.keyboard('j');
  await user.keyboard('e');
  expect(await screen.findByRole('button', { name: /^Completed/ })).toBeVisible();
  await waitFor(() => expect(document.querySelectorAll('.alert-card__card')).toHaveLength(2));
});
