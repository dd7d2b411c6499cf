import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, test } from 'vitest';
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

async function openInbox() {
  for (const customer of ['One', 'Two', 'Three', 'Four']) await app.post({ customer });
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await expectCount(4);
  return user;
}

/** Holds a key until an alert has left the list, and for some repeats more: they would be for the next one. */
async function hold(user: UserEvent, key: string): Promise<void> {
  const { length } = articles();
  for (let more = 5; more > 0; more -= Number(articles().length < length)) {
    await user.keyboard(`{${key}>}`);
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
  await user.keyboard(`{/${key}}`);
}

describe('a key that is held down acts once', () => {
  test('A accepts one alert', async () => {
    const user = await openInbox();
    articles()[0]?.focus();
    await hold(user, 'a');
    await findToast('Alert accepted');
    await expectCount(3);
    expect(await queue.mine()).toHaveLength(1);
  });

  test('Enter on a card’s Accept button accepts one alert', async () => {
    const user = await openInbox();
    within(await findCard('Four'))
      .getByRole('button', { name: 'Accept' })
      .focus();
    await hold(user, 'Enter');
    await findToast('Alert accepted');
    await expectCount(3);
    expect(await queue.mine()).toHaveLength(1);
  });
});

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

const status = async (name: string) => within(await findCard('Three')).getByRole('radio', { name });

test('a queue is completed, moved and returned by keys', async () => {
  await queue.folder('Urgent');
  for (const customer of ['One', 'Two', 'Three']) await queue.accept({ customer });
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  await expectCount(3);
  await user.keyboard('j');
  await user.keyboard('e');
  await waitFor(async () => expect(await status('Completed')).toBeChecked());
  await user.keyboard('2');
  await waitFor(async () => expect(await status('In Progress')).toBeChecked());
  await user.keyboard('{Control>}a{/Control}');
  await screen.findByRole('toolbar', { name: '3 selected' });
  await user.keyboard('m');
  await user.click(await screen.findByRole('menuitem', { name: 'Move to Urgent' }));
  await findToast('3 moved');
  expect(await screen.findByText('No alerts yet')).toBeVisible();
  await user.keyboard('z');
  await expectCount(3);
  expect(await status('In Progress')).toBeChecked();
});
