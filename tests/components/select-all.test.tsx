import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import {
  expectCards,
  expectCount,
  findConnected,
  findToast,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
/** Calls that ask what everything is, which are answered by `release`. */
let asked: number;
let release: () => void;
/** The server has not counted to the end. */
let isAtLeast: boolean;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
  asked = 0;
  isAtLeast = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  release = resolve;
  intercept('GET', '/api/alerts/inbox', async ({ url }, go) => {
    if (url.searchParams.get('limit') === '1') {
      asked += 1;
      await promise;
    }
    // There is more than is loaded, which does not come.
    if (url.searchParams.has('before')) return refusal(404, 'Not now.');
    const answer = await go();
    const headers = new Headers(answer.headers);
    if (isAtLeast) headers.set('X-Total-Count-Relation', 'at-least');
    headers.set('Link', '</api/alerts/inbox?before=01a1fce3-7dd0-72a8-8b4e-6f9c68e7aa80>; rel="next"');
    return new Response(answer.body, { status: answer.status, headers });
  });
});

/** Opens an inbox of which not everything is loaded, with an alert of each customer. */
const openLongInbox = (...customers: string[]): Promise<UserEvent> => openLong('/', ...customers);

async function openLong(path: string, ...customers: string[]): Promise<UserEvent> {
  for (const customer of customers) await app.post({ customer, region: 'north' });
  const user = await openPage(mara, path);
  await findConnected();
  await expectCards(...customers.toReversed());
  return user;
}

async function askForAll(user: UserEvent): Promise<void> {
  await user.keyboard('{Control>}a{/Control}');
  await waitFor(() => expect(asked).toBe(1));
}
const bar = () => screen.queryByRole('toolbar', { name: / selected$/ });
const expectInbox = (...customers: string[]) =>
  waitFor(async () => expect((await app.inbox()).map(({ customer }) => customer)).toEqual(customers));

test('Escape ends the question what everything is, and the next key is about the focused card alone', async () => {
  const user = await openLongInbox('Atlas Freight', 'Brightwater', 'Cobalt Labs');
  await user.keyboard('j');
  await askForAll(user);
  await user.keyboard('{Escape}a');
  await findToast('Alert accepted');
  await expectInbox('Brightwater', 'Atlas Freight');
  release();
  await findConnected();
  expect(bar()).toBeNull();
  await expectInbox('Brightwater', 'Atlas Freight');
});

test('what is selected while the server is asked what everything is stays what is selected', async () => {
  const user = await openLongInbox('Atlas Freight', 'Brightwater', 'Cobalt Labs');
  await user.keyboard('j');
  await askForAll(user);
  await user.keyboard('x');
  await screen.findByRole('toolbar', { name: '1 selected' });
  release();
  await findConnected();
  expect(bar()).toHaveAccessibleName('1 selected');
});

test('a list that is left while the server is asked what all of it is has nothing selected', async () => {
  const user = await openLongInbox('Atlas Freight', 'Brightwater');
  await askForAll(user);
  const choose = async (customer: string) => {
    await user.click(screen.getByRole('button', { name: /^Customer/ }));
    const menu = within(await screen.findByRole('menu', { name: 'Customer' }));
    await user.click(await menu.findByRole('menuitemradio', { name: customer }));
  };
  await choose('Atlas Freight');
  await expectCards('Atlas Freight');
  release();
  await findConnected();
  await choose('All');
  await expectCards('Brightwater', 'Atlas Freight');
  expect(bar()).toBeNull();
});

test('of a list that has at least so many alerts no more is said, and more are changed', async () => {
  isAtLeast = true;
  const sent: unknown[] = [];
  intercept('POST', '/api/alerts/bulk', ({ body }, go) => {
    sent.push(JSON.parse(body));
    return go();
  });
  const user = await openLongInbox('Atlas Freight', 'Brightwater');
  release();
  await user.keyboard('jx');
  await user.click(await screen.findByRole('button', { name: 'Select all 2+' }));
  const toolbar = within(await screen.findByRole('toolbar', { name: '2+ selected' }));
  await user.click(toolbar.getByRole('button', { name: /^Delete/ }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete at least 2 alerts?' }));
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await findToast('2 deleted');
  expect(sent).toEqual([expect.objectContaining({ action: 'delete', expectedCount: 2, expectsMore: true })]);
  await expectInbox();
});

/** Answers the inbox with so many made-up alerts, all on one page, and whatever is sent about them once `isReady`. */
function makeUpInbox(
  count: number,
  isReady?: () => Promise<void>,
): { ids: string[]; sent: { ids: string[]; ifOwner: string; size: number }[] } {
  const ids = Array.from({ length: count }, (_, index) => `01a1fce3-7dd0-72a8-8b4e-${String(index).padStart(12, '0')}`);
  const sent: ReturnType<typeof makeUpInbox>['sent'] = [];
  let left = ids.toReversed();
  intercept('GET', '/api/alerts/inbox', () => {
    const answer = json(left.map((id) => makeAlert(id, { customer: id.slice(-4) })));
    answer.headers.set('X-Total-Count', String(left.length));
    return answer;
  });
  intercept('POST', '/api/alerts/bulk', async ({ body }) => {
    const { ids: some, ifOwner } = JSON.parse(body) as { ids: string[]; ifOwner: string };
    sent.push({ ids: some, ifOwner, size: body.length });
    await isReady?.();
    left = left.filter((id) => !some.includes(id));
    return json({ changed: some.map((id) => ({ id, version: 2, status: 'pending' })), unchanged: 0, lost: [] });
  });
  return { ids, sent };
}

/** Opens the inbox in an order in which what is far below stays loaded, and selects all of it. */
async function selectWhole(count: string): Promise<UserEvent> {
  const user = await openPage(mara, '/?sort=severity');
  await expectCount(`${count} waiting for action`);
  await findConnected();
  await waitFor(() => expect(document.querySelector('article')).not.toBeNull());
  await user.keyboard('{Control>}a{/Control}');
  await screen.findByRole('toolbar', { name: `${count} selected` });
  return user;
}

test('what is more than a page that is left can send is asked about, and deleted at once', async () => {
  const { ids, sent } = makeUpInbox(1_600);
  const user = await selectWhole('1,600');
  await user.keyboard('#');
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 1,600 alerts?' }));
  await dialog.findByText('Too much is being deleted to be brought back: this is done at once and cannot be undone.');
  expect(sent).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Delete' }));
  await findToast('1,600 deleted');
  expect(sent.flatMap((one) => one.ids).toSorted()).toEqual(ids);
  expect(new Set(sent.map(({ ifOwner }) => ifOwner))).toEqual(new Set(['none']));
});

test('leaving the page sends all that is held back, and what does not fit with that is asked about', async () => {
  const { ids, sent } = makeUpInbox(1_520);
  const user = await selectWhole('1,520');
  await user.keyboard('#');
  await findToast('1,520 deleted');
  await app.post({ customer: 'Atlas Freight' });
  await expectCards('Atlas Freight');
  await user.keyboard('jx#');
  await screen.findByRole('dialog', { name: 'Delete 1 alert?' });
  expect(sent).toEqual([]);
  dispatchEvent(new Event('pagehide'));
  await waitFor(() => expect(sent.flatMap((one) => one.ids).toSorted()).toEqual(ids));
  // What browsers take of calls that outlive their page.
  expect(sent.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(65_536);
});

test('a deletion of many that stops half-way says why', async () => {
  let batches = 0;
  makeUpInbox(1_600);
  intercept('POST', '/api/alerts/bulk', ({ body }) => {
    batches += 1;
    const { ids } = JSON.parse(body) as { ids: string[] };
    const changed = ids.map((id) => ({ id, version: 2, status: 'pending' }));
    return batches > 2 ? refusal(503, 'The database is away.') : json({ changed, unchanged: 0, lost: [] });
  });
  const user = await selectWhole('1,600');
  await user.keyboard('#');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  expect(await findToast('200 deleted')).toHaveTextContent('The database is away.');
});

const isUnloadAsked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Accepts 250 alerts, of which the answer to the second batch waits, and signs out meanwhile. */
async function signOutWithin(answer: Promise<void>) {
  let batches = 0;
  const { sent } = makeUpInbox(250, async () => {
    batches += 1;
    if (batches === 2) await answer;
  });
  const user = await selectWhole('250');
  expect(isUnloadAsked()).toBe(false);
  await user.keyboard('a');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(isUnloadAsked()).toBe(true);
  const sentBefore: number[] = [];
  intercept('POST', '/api/auth/logout', (_call, go) => {
    sentBefore.push(sent.length);
    return go();
  });
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  return sentBefore;
}

test('signing out waits for a change of many', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sentBefore = await signOutWithin(promise);
  resolve();
  expect(await findToast('Logged out')).not.toHaveTextContent('been saved');
  expect(sentBefore).toEqual([3]);
  expect(isUnloadAsked()).toBe(false);
});

test('signing out says what of a change of many may not have been saved', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const sentBefore = await signOutWithin(promise);
  await waitFor(() => expect(sentBefore).toEqual([2]));
  // Whoever signs out of the provider, too, leaves the page before the batch in flight is answered.
  expect(isUnloadAsked()).toBe(false);
  resolve();
  expect(await findToast('Logged out')).toHaveTextContent(
    '150 changes may not have been saved. The server took too long.',
  );
});

test('a deletion of many that signing out stopped, and that failed, says so and brings back what is left', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let batches = 0;
  const { sent } = makeUpInbox(250, async () => {
    batches += 1;
    if (batches === 2) await promise;
  });
  const user = await selectWhole('250');
  await user.keyboard('#');
  await screen.findByText('250 deleted');
  const refuse = vi.fn<() => Response>(() => refusal(503, 'Away.'));
  intercept('POST', '/api/auth/logout', refuse);
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(refuse).toHaveBeenCalled());
  resolve();
  expect(await findToast('Not every alert could be deleted')).toHaveTextContent('Stopped before the end.');
  expect(sent).toHaveLength(2);
  await expectCount('50 waiting for action');
});

test.each([
  { where: 'the inbox', path: '/' },
  { where: 'a search', path: '/?search=north' },
])(
  'what was just deleted in $where is not among all, and is gone before anything is done with these',
  async ({ path }) => {
    const sent: unknown[] = [];
    intercept('DELETE', /^\/api\/webhooks\//, async (_call, go) => {
      const answer = await go();
      sent.push('deleted');
      return answer;
    });
    intercept('POST', '/api/alerts/bulk', ({ body }, go) => {
      sent.push(JSON.parse(body));
      return go();
    });
    const user = await openLong(path, 'Atlas Freight', 'Brightwater', 'Cobalt Labs');
    release();
    await user.keyboard('j#');
    await expectCards('Brightwater', 'Atlas Freight');
    await user.keyboard('{Control>}a{/Control}');
    await screen.findByRole('toolbar', { name: '2 selected' });
    await user.keyboard('a');
    await findToast('2 accepted');
    expect(sent).toEqual(['deleted', expect.objectContaining({ action: 'accept', expectedCount: 2 })]);
    await expectInbox();
  },
);
