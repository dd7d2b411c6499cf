import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import {
  findCard,
  findConnected,
  findToast,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

const EXCEPTIONS = '/api/notification-exceptions';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

async function openInbox() {
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  return user;
}

const cards = () => screen.queryAllByRole('article');

test('a customer is muted from a card by mouse in two actions, and undone by one', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'order' });
  const user = await openInbox();
  // Two clicks: what is rested on in between opens by itself.
  await user.click(within(await findCard('Checkout')).getByRole('button', { name: 'More actions' }));
  await user.hover(await screen.findByRole('menuitem', { name: /^Mute/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Customer Atlas' }));
  const toast = await findToast('Customer muted');
  await waitFor(async () => expect(await findCard('Checkout')).toHaveTextContent('Muted'));
  await user.click(within(toast).getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await findCard('Checkout')).not.toHaveTextContent('Muted'));
});

test('an alert is found by words of its payload, and accepted by key, in three actions at most', async () => {
  for (const text of ['a gateway timeout', 'all is well', 'late'])
    await app.post({ title: 'Checkout', customer: 'Atlas', text });
  await app.post({ title: 'Mail', customer: 'Nordwind', text: 'a timeout' });
  const user = await openInbox();
  await waitFor(() => expect(cards()).toHaveLength(4));
  await screen.findByRole('combobox', { name: 'Search alerts' });
  await user.keyboard('/customer:Atlas from:2h timeout{Enter}');
  await waitFor(() => expect(cards()).toHaveLength(1));
  await user.keyboard('j');
  await user.keyboard('a');
  await findToast('Alert accepted');
  await waitFor(async () => expect(await app.inbox()).toHaveLength(3));
});

/** Expects the card of that type to say whether it is muted. */
const expectMuted = (type: string, isMuted: boolean) =>
  waitFor(
    async () => expect((await findCard(type)).textContent.includes('Muted')).toBe(isMuted),
    // The end of the last mute comes by the clock.
    { timeout: 20_000 },
  );

/** Mutes what is chosen in the dialog for so long. */
async function muteFor(user: UserEvent, howLong: string): Promise<void> {
  const dialog = within(await screen.findByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('For how long'), howLong);
  await user.click(dialog.getByRole('button', { name: 'Mute' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

test('another length that fails leaves what is muted muted', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'failed.length' });
  const { client } = await queueOf(app, mara);
  await client.request('POST', '/api/alert-types/mutes', { alertType: 'failed.length' });
  const user = await openInbox();
  await waitFor(async () => expect(await findCard('Checkout')).toHaveTextContent('Muted'));
  intercept('POST', '/api/alert-types/mutes', () => refusal(503, 'Away.'));
  // Nothing can be read again either.
  intercept('GET', '/api/alert-types/mutes', () => refusal(503, 'Away.'));
  (await findCard('Checkout')).closest('article')?.focus();
  await user.keyboard('l');
  expect(await screen.findByRole('radio', { name: 'Alert type failed.length (muted)' })).toBeChecked();
  await muteFor(user, '8 hours');
  await findToast('Away.');
  expect(await findCard('Checkout')).toHaveTextContent('Muted');
});

test('Undo of a mute brings back the exception whose place it took, also one that the page has not read', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'replaced.exception' });
  const { client } = await queueOf(app, mara);
  const user = await openInbox();
  await findConnected();
  const exception = { kind: 'alert_type', id: 'replaced.exception', level: 'critical' };
  expect((await client.request('PUT', EXCEPTIONS, exception)).status).toBe(204);
  const stored = async () => (await client.request('GET', EXCEPTIONS)).json();
  await user.click(within(await findCard('Checkout')).getByRole('button', { name: 'More actions' }));
  await user.hover(await screen.findByRole('menuitem', { name: /^Mute/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Alert type replaced.exception' }));
  const toast = await findToast('Alert type muted');
  expect(await stored()).toEqual([expect.objectContaining({ ...exception, level: 'never' })]);
  await user.click(within(toast).getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await stored()).toEqual([expect.objectContaining(exception)]));
});

test('Undo of a mute brings back an exception that the page has read before it was set', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'later.exception' });
  const { client } = await queueOf(app, mara);
  const exception = { kind: 'alert_type', id: 'later.exception', level: 'critical' };
  expect((await client.request('PUT', EXCEPTIONS, exception)).status).toBe(204);
  const stored = async () => (await client.request('GET', EXCEPTIONS)).json();
  const asBefore = vi.fn<() => Response>(() => json([]));
  const restore = intercept('GET', EXCEPTIONS, asBefore);
  const user = await openPage(mara, '/settings');
  await screen.findByRole('region', { name: 'Exceptions' });
  await waitFor(() => expect(asBefore).toHaveBeenCalled());
  await findConnected();
  await user.click(screen.getByRole('link', { name: /^New Alerts/ }));
  const card = await findCard('Checkout');
  restore();
  await user.click(within(card).getByRole('button', { name: 'More actions' }));
  await user.hover(await screen.findByRole('menuitem', { name: /^Mute/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Alert type later.exception' }));
  const toast = await findToast('Alert type muted');
  await user.click(within(toast).getByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await stored()).toEqual([expect.objectContaining(exception)]));
});

test('Undo of a mute leaves it as another device had left it, of which the page has not read', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'muted.elsewhere' });
  await app.post({ title: 'Mail', customer: 'Atlas', type: 'unmuted.elsewhere' });
  const { client } = await queueOf(app, mara);
  await client.request('POST', '/api/alert-types/mutes', { alertType: 'muted.elsewhere' });
  // The page has the one for the other.
  const restore = intercept('GET', '/api/alert-types/mutes', () => json(['unmuted.elsewhere']));
  const user = await openInbox();
  await expectMuted('Mail', true);
  restore();
  const stored = async () =>
    ((await (await client.request('GET', EXCEPTIONS)).json()) as { id: string; until?: string }[])
      .map(({ id, until }) => (until === undefined ? id : `${id} for a time`))
      .toSorted();
  const muteAndUndo = async (title: string, type: string) => {
    (await findCard(title)).closest('article')?.focus();
    await user.keyboard('l');
    await user.click(await screen.findByRole('radio', { name: new RegExp(`^Alert type ${type}`, 'v') }));
    await muteFor(user, '8 hours');
    await waitFor(async () => expect(await stored()).toContain(`${type} for a time`));
    await user.click(within(await findToast('Alert type muted')).getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await stored()).toEqual(['muted.elsewhere']));
  };
  // Shown muted, and muted no more.
  await muteAndUndo('Mail', 'unmuted.elsewhere');
  await muteAndUndo('Checkout', 'muted.elsewhere');
});

test('a mute is on the card at once, and sent before the session ends, also while what was before is still read', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'slow.reads' });
  const user = await openInbox();
  await findConnected();
  const isAnswered = Promise.withResolvers<void>();
  intercept('GET', '/api/mute-ends', async (_call, go) => {
    await isAnswered.promise;
    return go();
  });
  const sent: string[] = [];
  intercept('POST', /^\/api\/(?:alert-types\/mutes|auth\/logout)$/, ({ url }, go) => {
    sent.push(url.pathname);
    return go();
  });
  (await findCard('Checkout')).closest('article')?.focus();
  await user.keyboard('l');
  await muteFor(user, 'Forever');
  await waitFor(async () => expect(await findCard('Checkout')).toHaveTextContent('Muted'));
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  isAnswered.resolve();
  await waitFor(() => expect(location.pathname).toBe('/login'));
  expect(sent).toEqual(['/api/alert-types/mutes', '/api/auth/logout']);
});

test('Undo of a mute ends it, also where another one was begun while it was still read what was muted', async () => {
  for (const type of ['first.mute', 'second.mute']) await app.post({ title: type, customer: 'Atlas', type });
  const { client } = await queueOf(app, mara);
  const stored = async () => (await (await client.request('GET', '/api/alert-types/mutes')).json()) as string[];
  const user = await openInbox();
  await findConnected();
  const isAnswered = Promise.withResolvers<void>();
  intercept('GET', '/api/alert-types/mutes', async (_call, go) => {
    await isAnswered.promise;
    return go();
  });
  for (const type of ['first.mute', 'second.mute']) {
    (await findCard(type)).closest('article')?.focus();
    await user.keyboard('l');
    await user.click(await screen.findByRole('radio', { name: `Alert type ${type}` }));
    await muteFor(user, 'Forever');
    await waitFor(async () => expect(await findCard(type)).toHaveTextContent('Muted'));
  }
  isAnswered.resolve();
  // The toast of the first one says the same but for this.
  await findToast('second.mute: Forever');
  expect(await stored()).toHaveLength(2);
  await user.keyboard('z');
  await findToast('first.mute: Forever');
  await waitFor(async () => expect(await stored()).not.toContain('second.mute'));
  await user.keyboard('z');
  await waitFor(async () => expect(await stored()).toEqual([]));
});

test('nothing is muted whose exception cannot be read', async () => {
  await app.post({ title: 'Checkout', customer: 'Atlas', type: 'unread.exception' });
  const user = await openInbox();
  intercept('GET', EXCEPTIONS, () => refusal(503, 'The database is away.'));
  const sent = vi.fn<() => Response>(() => refusal(503, 'It was sent.'));
  intercept('POST', '/api/alert-types/mutes', sent);
  (await findCard('Checkout')).closest('article')?.focus();
  await user.keyboard('l');
  await muteFor(user, 'Forever');
  await findToast('The database is away.');
  expect(sent).not.toHaveBeenCalled();
  await waitFor(async () => expect(await findCard('Checkout')).not.toHaveTextContent('Muted'));
});

test('a customer or a type is muted from a card for a time, says so, and ends while the page is open', async () => {
  // Settings draws the customers at the top of its list; other tests on this server add more.
  await app.post({ customer: 'Aachen Stahl', type: 'disk.full' });
  await app.post({ customer: 'Aachen Stahl', type: 'order' });
  let user = await openInbox();
  await user.click(within(await findCard('disk.full')).getByRole('button', { name: 'More actions' }));
  await user.hover(await screen.findByRole('menuitem', { name: /^Mute/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'For a time…' }));
  expect(await screen.findByRole('radio', { name: 'Alert type disk.full' })).toBeChecked();
  await muteFor(user, '8 hours');
  await findToast('Alert type muted');
  await expectMuted('disk.full', true);
  await expectMuted('order', false);
  await user.keyboard('z');
  await expectMuted('disk.full', false);

  (await findCard('order')).closest('article')?.focus();
  await user.keyboard('l');
  await user.click(await screen.findByRole('radio', { name: 'Customer Aachen Stahl' }));
  await muteFor(user, 'Forever');
  await expectMuted('order', true);

  // Elsewhere it is given an end, then a nearer one, which comes while this page is open.
  const { client } = await queueOf(app, mara);
  const readMutes = async () =>
    (await (await client.request('GET', '/api/customer-mutes')).json()) as { customerId: string }[];
  // The card shows it before the server knows it.
  await waitFor(async () => expect(await readMutes()).toHaveLength(1));
  const [customer] = await readMutes();
  // An end that has passed by the time it arrives is refused.
  const endIn = (ms: number) =>
    waitFor(async () => {
      const until = new Date(Date.now() + ms).toISOString();
      const { status } = await client.request('POST', '/api/customer-mutes', { ...customer, until });
      expect(status).toBe(201);
    });
  await endIn(60 * 60_000);
  await openPage(mara, '/settings');
  expect(await screen.findByText(/^Muted until /, { selector: 'span' })).toBeVisible();
  user = await openInbox();
  await expectMuted('order', true);
  await endIn(2_000);
  await expectMuted('order', false);
});
