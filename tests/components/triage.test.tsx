import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { findCard, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

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

test('a customer or a type is muted from a card for a time, says so, and ends while the page is open', async () => {
  // Settings draws the customers at the top of its list; other tests on this server add more.
  await app.post({ customer: 'Aachen Stahl', type: 'disk.full' });
  await app.post({ customer: 'Aachen Stahl', type: 'order' });
  let user = await openInbox();
  const mute = async (howLong: string): Promise<void> => {
    const dialog = within(await screen.findByRole('dialog'));
    await user.selectOptions(dialog.getByLabelText('For how long'), howLong);
    await user.click(dialog.getByRole('button', { name: 'Mute' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await user.click(within(await findCard('disk.full')).getByRole('button', { name: 'More actions' }));
  await user.hover(await screen.findByRole('menuitem', { name: /^Mute/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'For a time…' }));
  expect(await screen.findByRole('radio', { name: 'Alert type disk.full' })).toBeChecked();
  await mute('8 hours');
  await findToast('Alert type muted');
  await expectMuted('disk.full', true);
  await expectMuted('order', false);
  await user.keyboard('z');
  await expectMuted('disk.full', false);

  (await findCard('order')).closest('article')?.focus();
  await user.keyboard('l');
  await user.click(await screen.findByRole('radio', { name: 'Customer Aachen Stahl' }));
  await mute('Forever');
  await expectMuted('order', true);

  // Elsewhere it is given an end, then a nearer one, which comes while this page is open.
  const { client } = await queueOf(app, mara);
  const [customer] = (await (await client.request('GET', '/api/customer-mutes')).json()) as { customerId: string }[];
  const endIn = async (ms: number) => {
    const until = new Date(Date.now() + ms).toISOString();
    const { status } = await client.request('POST', '/api/customer-mutes', { ...customer, until });
    expect(status).toBe(201);
  };
  await endIn(60 * 60_000);
  await openPage(mara, '/settings');
  expect(await screen.findByText(/^Muted until /)).toBeVisible();
  user = await openInbox();
  await expectMuted('order', true);
  await endIn(2_000);
  await expectMuted('order', false);
});
