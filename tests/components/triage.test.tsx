import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
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
