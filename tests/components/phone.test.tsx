import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { expectCount, findCard, findings, memberWithQueue, openCardMenu, openPage } from './support/open-page.tsx';
import { bePhone } from './support/phone.ts';

/** A little longer than a finger rests on a card until it selects it, and clearly shorter, in milliseconds. */
const [LONG_MS, SHORT_MS] = [600, 100];

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
  bePhone();
});

const bar = () => screen.findByRole('navigation', { name: 'Lists' });
const finger = { pointerType: 'touch', pointerId: 7, isPrimary: true, bubbles: true };
const selectionBar = () => screen.queryByRole('toolbar', { name: /selected$/ });

/** Holds a finger on an element for a while, moves it if wanted, and lifts it; what the browser makes of it follows. */
async function hold(element: HTMLElement, forMs: number, move: { x: number; y: number } = { x: 0, y: 0 }) {
  fireEvent.pointerDown(element, { ...finger, clientX: 100, clientY: 100 });
  fireEvent.pointerMove(element, { ...finger, clientX: 100 + move.x, clientY: 100 + move.y });
  await pause(forMs);
  const menu = createEvent.contextMenu(element);
  fireEvent(element, menu);
  fireEvent.pointerUp(element, { ...finger, clientX: 100 + move.x, clientY: 100 + move.y });
  return { hasMenu: !menu.defaultPrevented };
}

/** A click by finger, as browsers make of a tap. */
const tap = (element: HTMLElement): void => {
  fireEvent.pointerDown(element, finger);
  fireEvent.pointerUp(element, finger);
  fireEvent(element, new PointerEvent('click', { ...finger, cancelable: true }));
};

/** The finger's part of a list comes after the first screen. */
const openList = async (path: string, customer: string) => {
  const user = await openPage(mara, path);
  await findCard(customer);
  await bar();
  return user;
};

test('the bottom bar leads to the lists that everybody has, with the counts of the sidebar, and to the search', async () => {
  await app.post({ customer: 'Atlas', type: 'order' });
  await app.post({ customer: 'Brightwater', type: 'order' });
  await queue.accept({ customer: 'Mine', type: 'order' });
  const user = await openList('/', 'Atlas');
  const links = within(await bar()).getAllByRole('link');
  await waitFor(() => expect(links.map(({ textContent }) => textContent)).toEqual(['New2', 'Mine1', 'Snoozed']));
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual(['page', null, null]);
  await user.click(within(await bar()).getByRole('link', { name: /^Mine/ }));
  await expectCount('1 in your queue');
  expect(within(await bar()).getByRole('link', { name: /^Mine/ })).toHaveAttribute('aria-current', 'page');
  await user.click(within(await bar()).getByRole('button', { name: 'Search' }));
  expect(screen.getByRole('combobox', { name: 'Search alerts' })).toHaveFocus();
});

test('a page without a search leads to that of the inbox', async () => {
  const user = await openPage(mara, '/settings');
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
  await user.click(within(await bar()).getByRole('button', { name: 'Search' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Search alerts' })).toHaveFocus());
  expect(location.pathname).toBe('/');
});

test('the sidebar’s sheet is a dialog, which takes the keys and has the focus again after a dialog of its own', async () => {
  await app.post({ customer: 'Atlas', type: 'order' });
  const user = await openList('/', 'Atlas');
  await user.keyboard('jx');
  await waitFor(() => expect(selectionBar()).toHaveAccessibleName('1 selected'));
  const toggle = screen.getByRole('button', { name: 'Toggle the sidebar' });
  await user.click(toggle);
  const sheet = await screen.findByRole('dialog', { name: 'Sidebar' });
  await waitFor(() => expect(within(sheet).getByRole('button', { name: 'Close the sidebar' })).toHaveFocus());
  expect(await findings()).toEqual([]);
  await user.keyboard('#');
  // Before the first and after the last there is a stop without a name.
  for (const keys of ['{Shift>}{Tab}{/Shift}', '{Shift>}{Tab}{/Shift}', '{Tab}', '{Tab}']) {
    await user.keyboard(keys);
    await user.keyboard('#');
  }
  expect(screen.queryByText('Alert deleted')).toBeNull();
  expect(await findCard('Atlas')).toBeInTheDocument();

  const create = await within(sheet).findByRole('button', { name: 'Create a folder' });
  await user.click(create);
  await screen.findByRole('dialog', { name: 'Create New Folder' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(create).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(sheet).not.toBeInTheDocument());
  expect(toggle).toHaveFocus();
  expect(selectionBar()).toHaveAccessibleName('1 selected');
});

test('the row of the alert that was open takes the focus once the alert, which covers it, is gone', async () => {
  for (const customer of ['Atlas', 'Brightwater']) await app.post({ customer, type: 'order' });
  const user = await openList('/', 'Atlas');
  await user.click(within(await findCard('Atlas')).getByRole('link'));
  const panel = await screen.findByRole('complementary', { name: 'Alert details' });
  await waitFor(() => expect(within(panel).getByRole('heading', { level: 2 })).toHaveFocus());
  const row = (await findCard('Atlas')).closest('article');
  const wasCovered: boolean[] = [];
  row?.addEventListener('focusin', () => wasCovered.push(panel.isConnected));
  await user.click(within(panel).getByRole('button', { name: 'Back to the list' }));
  await waitFor(() => expect(row).toHaveFocus());
  expect(wasCovered).toEqual([false]);
});

test('a long press selects a card without the menu of the browser; then taps select, until nothing is selected', async () => {
  for (const customer of ['Atlas', 'Brightwater']) await app.post({ customer, type: 'order' });
  await openList('/', 'Atlas');
  expect(screen.queryByRole('checkbox', { name: 'Select' })).toBeNull();
  // What follows fingers is fetched after the list.
  await waitFor(async () => {
    const { hasMenu } = await hold(await findCard('Atlas'), LONG_MS);
    expect(hasMenu).toBe(false);
    expect(selectionBar()).toHaveAccessibleName('1 selected');
  });
  const boxes = await screen.findAllByRole('checkbox', { name: 'Select' });
  expect(boxes.filter((box) => (box as HTMLInputElement).checked)).toHaveLength(1);
  tap(await findCard('Brightwater'));
  await waitFor(() => expect(selectionBar()).toHaveAccessibleName('2 selected'));
  expect(location.pathname).toBe('/');
  for (const customer of ['Atlas', 'Brightwater']) tap(await findCard(customer));
  await waitFor(() => expect(selectionBar()).toBeNull());
  tap(await findCard('Atlas'));
  await waitFor(() => expect(location.pathname).toMatch(/^\/alert\//));
});

test('a short press, a finger that moves, and one on a button select nothing', async () => {
  await queue.accept({ customer: 'Atlas', type: 'order' });
  await openList('/my-alerts', 'Atlas');
  const card = await findCard('Atlas');
  await waitFor(async () => {
    await hold(card, LONG_MS);
    expect(selectionBar()).toHaveAccessibleName('1 selected');
  });
  tap(card);
  await waitFor(() => expect(selectionBar()).toBeNull());
  await hold(card, SHORT_MS);
  expect(await hold(card, LONG_MS, { x: 0, y: 12 })).toEqual({ hasMenu: true });
  expect(await hold(within(card).getByRole('radio', { name: 'Completed' }), LONG_MS)).toEqual({ hasMenu: true });
  await hold(within(card).getByRole('button', { name: 'Drag to a folder' }), LONG_MS);
  expect(selectionBar()).toBeNull();
});

test('My Alerts says how many alerts are snoozed, and leads there', async () => {
  const id = await queue.accept({ customer: 'Later', type: 'order' });
  await queue.client.request('POST', `/api/alerts/${id}/snooze`, { minutes: 60 });
  await queue.accept({ customer: 'Atlas', type: 'order' });
  const user = await openList('/my-alerts', 'Atlas');
  await expectCount('1 in your queue');
  await user.click(await within(screen.getByRole('main')).findByRole('link', { name: '1 snoozed' }));
  await findCard('Later');
});

test('what a phone has no space for is in the menu of a card; the queue shows fields, and a type that is the headline stands once', async () => {
  await queue.accept({ customer: 'Atlas', type: 'disk.full', host: 'db-7' });
  const user = await openList('/my-alerts', 'Atlas');
  const card = await findCard('Atlas');
  expect(card).toHaveTextContent('hostdb-7');
  expect(within(card).getAllByText('disk.full')).toHaveLength(1);
  expect(within(card).queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(within(card).queryByRole('button', { name: /^Extra information/ })).toBeNull();
  expect((await openCardMenu(user, 'Atlas')).join()).toMatch(/history/i);
});
