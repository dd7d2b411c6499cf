import { expect, test } from 'vitest';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { MessageEntity } from './message-entity.ts';

const on = useOutgoingServer();
const { receive, addFor, post, world } = on;

test('of two who send a message again within a moment the second is answered that it was sent', async () => {
  const customer = `Twice ${crypto.randomUUID()}`;
  const receiver = await receive();
  await addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await post({ customer });
  const receipt = async () => (await world.receipts(alertId)).receipts[0];
  await expect.poll(async () => (await receipt())?.state).toBe('sent');
  const id = (await receipt())?.id ?? '';
  const sendAgain = () => on.admin.send('POST', `/api/outgoing/messages/${id}/send-again`);
  expect((await sendAgain()).status).toBe(204);
  await expect.poll(() => receiver.taken().length).toBe(2);
  await expect.poll(async () => (await receipt())?.state).toBe('sent');
  const second = await sendAgain();
  expect([second.status, await second.text()]).toEqual([409, expect.stringContaining('was sent again a moment ago')]);
  // By a clock that was set back since, it was sent in the future.
  for (const finishedAt of [Date.now() - 20_000, Date.now() + 3_600_000]) {
    await on.server.database.transaction((tx) => tx.getRepository(MessageEntity).update({ id }, { finishedAt }));
    expect((await sendAgain()).status).toBe(204);
    await expect.poll(async () => (await receipt())?.state).toBe('sent');
  }
  expect(receiver.taken()).toHaveLength(4);
});
