import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { deleteRules, row, ruleNames, storedRules } from './support/incoming-rules.ts';
import {
  ADMINISTRATOR,
  appServer,
  findConnected,
  findToast,
  intercept,
  openPage,
  refusal,
} from './support/open-page.tsx';

beforeEach(deleteRules);
afterAll(deleteRules);

const FIRST = ['Rule one', 'Rule two', 'Rule three'];

/** Three rules, and orders of them that are sent once they are let. */
async function withHeldOrders() {
  const { admin } = await appServer();
  for (const name of FIRST) {
    const rule = { name, search: `customer:${crypto.randomUUID()}`, actions: { severity: 'low' } };
    await admin.request('POST', '/api/rules', rule);
  }
  const answered = Promise.withResolvers<void>();
  const sent: string[] = [];
  intercept('PUT', '/api/rules/order', async ({ body }, go) => {
    sent.push(body);
    await answered.promise;
    return go();
  });
  const user = await openPage(ADMINISTRATOR, '/admin/rules');
  (await screen.findByRole('button', { name: /^Move Rule one/ })).focus();
  await findConnected();
  return { admin, user, sent, send: answered.resolve };
}
const storedNames = async () => (await storedRules()).map(({ name }) => name);

test('each press moves a rule by one place, sent one after the other, and each can be undone', async () => {
  const { admin, user, sent, send } = await withHeldOrders();
  await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
  await waitFor(() => expect(ruleNames()).toEqual(['Rule two', 'Rule three', 'Rule one']));
  const handle = screen.getByRole('button', { name: 'Move Rule one, rule 3 of 3' });
  expect(handle).toHaveFocus();
  fireEvent.keyDown(handle, { key: 'ArrowUp', altKey: true, repeat: true });
  screen.getByRole('button', { name: /^Move Rule three/ }).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  const moved = ['Rule three', 'Rule two', 'Rule one'];
  await waitFor(() => expect(ruleNames()).toEqual(moved));
  // What is read before the orders are sent moves no rule back.
  const [one] = await storedRules();
  await admin.request('PATCH', `/api/rules/${one?.id}`, { isOn: false });
  await waitFor(async () => expect((await row('Rule one')).getByLabelText('Rule one is on')).not.toBeChecked());
  expect(ruleNames()).toEqual(moved);
  expect(sent).toHaveLength(1);
  expect(await storedNames()).toEqual(FIRST);
  send();
  await findToast('3 times');
  expect(sent).toHaveLength(3);
  expect(await storedNames()).toEqual(moved);
  expect(screen.getByText('Rule three is rule 1')).toBeInTheDocument();
  await user.keyboard('z');
  await waitFor(async () => expect(await storedNames()).toEqual(FIRST));
  await waitFor(() => expect(ruleNames()).toEqual(FIRST));
});

test('where an order cannot be sent, the rules are as they are stored, and the orders after it are not sent', async () => {
  const { user, sent } = await withHeldOrders();
  intercept('PUT', '/api/rules/order', async ({ body }) => {
    sent.push(body);
    return refusal(503, 'The database is away.');
  });
  await user.keyboard('{Alt>}{ArrowDown}{ArrowDown}{/Alt}');
  await findToast(/The database is away\.$/);
  await waitFor(() => expect(ruleNames()).toEqual(FIRST));
  expect(sent).toHaveLength(1);
  expect(await storedNames()).toEqual(FIRST);
});

test('a move that is undone later leaves alone what others have moved since', async () => {
  const { admin, user, send } = await withHeldOrders();
  send();
  await admin.request('POST', '/api/rules', { name: 'Rule four', search: 'type:disk', actions: { severity: 'low' } });
  await row('Rule four');
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await findToast('Rule moved');
  screen.getByRole('button', { name: /^Move Rule three/ }).focus();
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await findToast('2 times');
  // The list is not open: nothing on this page reads what a colleague does.
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^New Alerts/ }));
  await screen.findByRole('heading', { level: 1, name: /^New Alerts/ });
  const [two, three, one, four] = await storedRules();
  const ids = [four, two, three, one].map((rule) => rule?.id);
  await admin.request('PUT', '/api/rules/order', { ids });
  expect(await storedNames()).toEqual(['Rule four', 'Rule two', 'Rule three', 'Rule one']);

  await user.click(await screen.findByRole('button', { name: /^For you/ }));
  const bell = await screen.findByRole('dialog', { name: 'For you' });
  await user.click(await within(bell).findByRole('radio', { name: 'Recent' }));
  // The newest first: what is undone has no button any more.
  const [undoThree, undoOne] = await within(bell).findAllByRole('button', { name: 'Undo: Rule moved' });
  await user.click(undoThree ?? bell);
  await waitFor(async () => expect(await storedNames()).toEqual(['Rule four', 'Rule two', 'Rule one', 'Rule three']));
  await user.click(undoOne ?? bell);
  await waitFor(async () => expect(await storedNames()).toEqual(['Rule four', ...FIRST]));
});

test('a move of a rule that was deleted since is not undone, and a toast says why', async () => {
  const { admin, user, send } = await withHeldOrders();
  send();
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await findToast('Rule moved');
  const one = (await storedRules()).find(({ name }) => name === 'Rule one');
  await admin.request('DELETE', `/api/rules/${one?.id}`);
  await user.keyboard('z');
  await findToast(/The rule was deleted in the meantime\.$/);
  expect(await storedNames()).toEqual(['Rule two', 'Rule three']);
});
