import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { ownChannelListSchema } from '#backend/contract/own-channel.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { hold } from './support/leaving.ts';
import {
  findConnected,
  findDialog,
  findToast,
  findings,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

const CHANNELS = '/api/own-channels';

let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ mara, queue } = await memberWithQueue());
  const body = { kind: 'webhook', name: 'My pager', url: 'https://hooks.example.com/in' };
  await queue.client.request('POST', CHANNELS, body);
});

const channels = async () =>
  ownChannelListSchema.parse(await (await queue.client.request('GET', CHANNELS)).json()).channels;

async function openPanel() {
  const user = await openPage(mara, '/settings');
  return { user, panel: within(await screen.findByRole('region', { name: 'Own channels' })) };
}

test('a channel that was used in another year says in which', async () => {
  intercept('GET', CHANNELS, async (_call, go) => {
    const list = ownChannelListSchema.parse(await (await go()).json());
    for (const channel of list.channels)
      Object.assign(channel, { isConfirmed: true, health: 'ok', lastSentAt: '2024-02-03T12:00:00.000Z' });
    return json(list);
  });
  const { panel } = await openPanel();
  expect(await panel.findByText(/Feb 3, 2024, /)).toBeVisible();
});

test('a channel is removed after a question, and a toast says so', async () => {
  const { user, panel } = await openPanel();
  const remove = await panel.findByRole('button', { name: 'Remove My pager' });
  await user.click(remove);
  const question = await findDialog();
  expect(question.getByText(/My pager/)).toBeVisible();
  expect(await findings()).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(remove).toHaveFocus();
  expect(await channels()).toHaveLength(1);

  const restore = intercept('DELETE', /^\/api\/own-channels\//, () => refusal(503, 'The database is away.'));
  await user.click(remove);
  await user.click((await findDialog()).getByRole('button', { name: 'Remove' }));
  await findToast('The database is away.');
  expect(await channels()).toHaveLength(1);
  restore();
  await user.click(await (await findDialog()).findByRole('button', { name: 'Remove' }));
  await findToast('Channel removed');
  await waitFor(() => expect(panel.queryByText('My pager')).toBeNull());
  expect(await channels()).toEqual([]);
});

test('a channel that is gone already counts as removed', async () => {
  const { user, panel } = await openPanel();
  await user.click(await panel.findByRole('button', { name: 'Remove My pager' }));
  const question = await findDialog();
  for (const { id } of await channels())
    expect((await queue.client.request('DELETE', `${CHANNELS}/${id}`)).status).toBe(204);
  await user.click(question.getByRole('button', { name: 'Remove' }));
  await findToast('Channel removed');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(panel.queryByText('My pager')).toBeNull());
});

test.each([
  ['Confirm', 'confirm', 'This is not the code that was sent last.'],
  ['Send another code', 'code', 'A code was sent a moment ago. Try again in half a minute.'],
])('a double click on %s sends it once', async (name, call, answer) => {
  const { user, panel } = await openPanel();
  await user.type(await panel.findByLabelText('Code of My pager'), '000000');
  let sent = 0;
  intercept('POST', new RegExp(`/${call}$`), (_call, go) => {
    sent += 1;
    return go();
  });
  await user.dblClick(panel.getByRole('button', { name }));
  expect(await panel.findByText(answer)).toBeVisible();
  await waitFor(() => expect(panel.getByRole('button', { name })).not.toHaveAttribute('aria-disabled'));
  expect(sent).toBe(1);
});

test('a channel whose adding was canceled leaves alone what is written of the next one', async () => {
  const release = hold('POST', CHANNELS);
  const { user, panel } = await openPanel();
  const write = async (name: string, address: string) => {
    await user.click(await panel.findByRole('button', { name: 'Add a channel' }));
    await user.selectOptions(panel.getByLabelText('Kind'), 'Webhook');
    await user.type(panel.getByLabelText('Name'), name);
    await user.type(panel.getByLabelText('Address'), address);
  };
  await write('Old pager', 'https://hooks.example.com/old');
  await user.click(panel.getByRole('button', { name: 'Send a code' }));
  await user.click(panel.getByRole('button', { name: 'Cancel' }));
  await write('New pager', 'https://hooks.example.com/new');
  release();
  expect(await panel.findByText('Old pager')).toBeVisible();
  await findConnected();
  expect(panel.getByLabelText('Name')).toHaveValue('New pager');
  expect(panel.getByLabelText('Address')).toHaveValue('https://hooks.example.com/new');
  await user.click(panel.getByRole('button', { name: 'Cancel' }));
  expect(panel.getByText(/^The code could not be sent/)).toBeVisible();
});
