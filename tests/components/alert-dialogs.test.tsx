import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { queueOf } from '#tests/e2e/support/queue.ts';
import { expectCards, findCard, findConnected, findToast, memberWithQueue, openPage } from './support/open-page.tsx';

const BODY = {
  customer: 'Atlas Freight',
  type: 'disk.full',
  title: 'Disk almost full on db-7',
  host: 'db-7',
  used: '98 %',
  free: '2 GB',
  mount: '/var/lib/data',
  exact: '{exact}',
  details: { volume: 'vol-9' },
};

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

/** Opens the inbox, and the fields of an alert of the one customer there. */
async function openFields() {
  const user = await openPage(mara, '/');
  await screen.findByText('Connected');
  await user.click(within(await findCard('Atlas Freight')).getByRole('button', { name: /^Extra information/ }));
  return { user, dialog: await screen.findByRole('dialog', { name: 'Extra Information' }) };
}

const copied = () => navigator.clipboard.readText();

test('a card and Extra Information say which alert it is about; one value and the whole JSON are copied', async () => {
  await app.post(BODY);
  const { user, dialog } = await openFields();
  const copy = (name: string) => user.click(within(dialog).getByRole('button', { name }));
  expect(dialog).toHaveTextContent('disk.full from Atlas Freight: Disk almost full on db-7');
  await copy('Copy details');
  await findToast('Copied to clipboard');
  expect(JSON.parse(await copied())).toEqual(BODY.details);
  await copy('Copy exact');
  await waitFor(async () => expect(await copied()).toBe('{exact}'));
  await copy('Copy JSON');
  await waitFor(async () => expect(JSON.parse(await copied())).toEqual(BODY));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByRole('article', {
    name: /^New: Disk almost full on db-7\. Atlas Freight, disk\.full, End-to-end tests\. /,
  });
});

test('closing it gives the focus to a card, also when its alert has left meanwhile', async () => {
  await app.post({ ...BODY, customer: 'Brightwater' });
  const id = await app.post(BODY);
  const { user, dialog } = await openFields();
  // A dialog that opens is under the mouse by itself.
  await user.hover(dialog);
  await app.admin.request('POST', `/api/alerts/${id}/accept`);
  await expectCards('Brightwater');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('article', { name: /Brightwater/ })).toHaveFocus());
});

test('the history says which alert it is about', async () => {
  await (await queueOf(app, mara)).accept(BODY);
  const user = await openPage(mara, '/my-alerts');
  await user.click(within(await findCard('Atlas Freight')).getByRole('button', { name: 'Alert history' }));
  const dialog = await screen.findByRole('dialog', { name: 'Alert History' });
  expect(dialog).toHaveTextContent('disk.full from Atlas Freight: Disk almost full on db-7');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the history keeps its entries on screen while what happened meanwhile is read', async () => {
  const queue = await queueOf(app, mara);
  const id = await queue.accept(BODY);
  const user = await openPage(mara, '/my-alerts');
  await findConnected();
  await user.click(within(await findCard('Atlas Freight')).getByRole('button', { name: 'Alert history' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Alert History' }));
  const entries = await dialog.findAllByRole('listitem');
  await queue.setStatus(id, 'in-progress');
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(entries.length + 1));
  for (const entry of entries) expect(entry).toBeVisible();
});
