import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import {
  expectCards,
  findConnected,
  findToast,
  intercept,
  json,
  memberWithQueue,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
/** Ids of the alerts of {@link openInbox}, by their customers. */
let ids: Map<string, string>;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
  ids = new Map();
});

/** Opens the inbox with an alert of each customer, the last one on top. */
async function openInbox(...customers: string[]): Promise<UserEvent> {
  for (const customer of customers) ids.set(customer, await app.post({ customer }));
  const user = await openPage(mara, '/');
  await findConnected();
  await expectCards(...customers.toReversed());
  return user;
}

/** A colleague accepts the alert of a customer, or gives it back. */
const colleague = (does: 'accept' | 'unaccept', customer: string) =>
  app.admin.request('POST', `/api/alerts/${ids.get(customer)}/${does}`);

test('an open alert that a colleague took leaves the focus to the row in its place, and takes none when it is back', async () => {
  const user = await openInbox('Atlas Freight', 'Brightwater', 'Cobalt Labs');
  await user.keyboard('jj{Enter}');
  await screen.findByRole('complementary', { name: 'Alert details' });
  expect(location.pathname).toBe(`/alert/${ids.get('Brightwater')}`);
  await colleague('accept', 'Brightwater');
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('article', { name: /Atlas Freight/ })).toHaveFocus());
  await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Alert details' })).toBeNull());

  const search = screen.getByRole('combobox', { name: 'Search alerts' });
  search.focus();
  await colleague('unaccept', 'Brightwater');
  await expectCards('Cobalt Labs', 'Brightwater', 'Atlas Freight');
  expect(search).toHaveFocus();
});

test('the choices that were open for a selection end with it', async () => {
  const user = await openInbox('Atlas Freight', 'Brightwater');
  await user.keyboard('jx');
  const bar = within(await screen.findByRole('toolbar', { name: '1 selected' }));
  await user.click(bar.getByRole('button', { name: /^Snooze/ }));
  await screen.findByRole('menu');
  await colleague('accept', 'Brightwater');
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull());
  await expectCards('Atlas Freight');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await user.click(screen.getByRole('checkbox', { name: 'Select' }));
  const next = within(await screen.findByRole('toolbar', { name: '1 selected' }));
  await findConnected();
  expect(next.getByRole('button', { name: /^Snooze/ })).toBeVisible();
  expect(screen.queryByRole('menu')).toBeNull();
});

test('what was completed in the inbox before many were accepted does not come back for a moment', async () => {
  const user = await openInbox('Atlas Freight', 'Brightwater');
  const read = Promise.withResolvers<void>();
  intercept('POST', '/api/alerts/bulk', ({ body }) => {
    const { ids: some } = JSON.parse(body) as { ids: string[] };
    intercept('GET', '/api/alerts/inbox', async (_call, go) => {
      await read.promise;
      return go();
    });
    return json({ changed: [], unchanged: 0, lost: some.map((id) => ({ id, reason: 'completed' })) });
  });
  await user.keyboard('jxa');
  await findToast('0 accepted, 1 was completed');
  await expectCards('Atlas Freight');
  read.resolve();
});
