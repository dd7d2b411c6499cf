import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import {
  findCard,
  findConnected,
  findToast,
  intercept,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

const article = (name: string) => screen.findByRole('article', { name: new RegExp(name) });
const articles = () => screen.queryAllByRole('article');
const expectFocus = (name: string) => waitFor(async () => expect(await article(name)).toHaveFocus());

/** Opens the inbox with three alerts, the first on top. Resolves to the person's hands and the alerts' ids, from the top. */
async function openInbox() {
  const ids: string[] = [];
  for (const customer of ['Third', 'Second', 'First']) ids.unshift(await app.post({ customer }));
  const user = await openPage(mara, '/');
  await findConnected();
  await waitFor(() => expect(articles()).toHaveLength(3));
  return { user, ids };
}

test('the inbox can be worked through with the keyboard', async () => {
  const { user } = await openInbox();
  (await article('First')).focus();
  for (const [keys, focused] of [
    ['j', 'Second'],
    ['{ArrowDown}', 'Third'],
    ['{ArrowDown}', 'Third'],
    ['{Home}', 'First'],
    ['{End}k', 'Second'],
  ] as const) {
    await user.keyboard(keys);
    await expectFocus(focused);
  }

  await user.keyboard('a');
  await findToast('Moved to your queue');
  await waitFor(() => expect(articles()).toHaveLength(2));
  await expectFocus('Third');
  await user.keyboard('a');
  await expectFocus('First');
  await user.keyboard('a');
  expect(await screen.findByText('All caught up!')).toBeVisible();
  await user.click(within(await findToast('3 accepted')).getByRole('button', { name: /^Undo/ }));
  await article('First');
});

test('what is accepted from the command palette gives the focus to the next card, whose keys count at once', async () => {
  const { user } = await openInbox();
  (await article('First')).focus();
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('option', { name: 'Accept', selected: true });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(articles()).toHaveLength(2));
  await expectFocus('Second');
  await user.keyboard('x');
  expect(await screen.findByRole('toolbar', { name: '1 selected' })).toBeVisible();
});

test('a key that is pressed while the command palette fades keeps the focus where it led', async () => {
  const { user } = await openInbox();
  (await article('First')).focus();
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Command or folder' })).toHaveFocus());
  // A dialog takes the focus in the frame after it has come, which is late here.
  await new Promise(requestAnimationFrame);
  await user.keyboard('{Escape}');
  await expectFocus('First');
  await user.keyboard('j');
  await expectFocus('Second');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Commands' })).toBeNull());
  await expectFocus('Second');
});

test('a card that somebody else accepts says who, and the focus goes on to the next', async () => {
  const { ids } = await openInbox();
  (await article('Second')).focus();
  await app.admin.request('POST', `/api/alerts/${ids[1]}/accept`);
  expect(await screen.findByText(/^Accepted by/)).toHaveTextContent('Accepted by Administrator');
  await expectFocus('Third');
  await waitFor(() => expect(articles()).toHaveLength(2));
});

test('every digit of a long number is shown', async () => {
  // As text: JavaScript's own numbers would lose the digits before they are sent.
  const body = '{"customer":"Ledger","account":10000000000000000001,"rows":{"first":12345678901234567890}}';
  const headers = { 'content-type': 'application/json', 'x-webhook-auth': app.apiKey, connection: 'close' };
  expect((await fetch(new URL('/webhook', app.url), { method: 'POST', headers, body })).status).toBe(202);
  const user = await openPage(mara, '/');
  const card = await findCard('Ledger');
  expect(card).toHaveTextContent('10000000000000000001');
  await user.click(within(card).getByRole('button', { name: /^Extra information/ }));
  expect(await screen.findByRole('dialog')).toHaveTextContent('"first": 12345678901234567890');
});

test('an unreadable answer, or none, is reported with a button to try again', async () => {
  await app.post({ customer: 'Waiting' });
  let asked = 0;
  const restore = intercept('GET', '/api/alerts/inbox', () => {
    asked += 1;
    return refusal(503, 'The database is away.');
  });
  const user = await openPage(mara, '/');
  expect(await screen.findByText('New Alerts could not be loaded')).toBeVisible();
  expect(screen.getByText('The database is away.')).toBeVisible();
  const before = asked;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(asked).toBeGreaterThan(before));
  expect(await screen.findByText('The database is away.')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await findCard('Waiting');
});
