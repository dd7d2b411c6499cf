import { expect, test } from 'vitest';
import { zulipRules } from '#tests/support/outgoing-chat-services.ts';
import type { NewDestination } from '#backend/contract/outgoing.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';

const on = useOutgoingServer();
const { world, receive, post } = on;

test('once a destination is limited it is not sent what waits about other customers, nor when that is sent again', async () => {
  const [customer, other] = [`Own ${crypto.randomUUID()}`, `Other ${crypto.randomUUID()}`];
  const receiver = await receive();
  receiver.answer({ status: 429, headers: { 'Retry-After': '600' } });
  const made = await world.addDestination({ kind: 'webhook', name: `Shared ${customer}`, url: receiver.url });
  const { id } = made.destination;
  await world.addRule([id]);
  const forbidden = await post({ customer: other });
  await expect.poll(async () => (await world.destination(id)).health).toBe('slowed');
  const allowed = await post({ customer });
  await expect.poll(async () => (await world.destination(id)).waiting).toBe(2);
  receiver.answer(undefined);
  await world.changeDestination(id, { customers: [customer.toUpperCase()] });
  const receipt = async (alertId: string) => (await world.receipts(alertId)).receipts[0];
  await expect.poll(async () => (await receipt(allowed))?.state).toBe('sent');
  await expect.poll(async () => (await receipt(forbidden))?.state).toBe('not-delivered');
  const reason = 'This destination may not be sent alerts of this customer.';
  expect((await receipt(forbidden))?.attempts.at(-1)?.answer).toBe(reason);

  const again = await on.admin.send('POST', '/api/outgoing/messages/send-again', { destinationId: id });
  expect(await again.json()).toEqual({ messages: 1 });
  await expect.poll(async () => (await receipt(forbidden))?.attempts.length).toBe(3);
  expect((await receipt(forbidden))?.state).toBe('not-delivered');
  expect(receiver.taken().map(({ body }) => [body.includes(customer), body.includes(other)])).toEqual([[true, false]]);
  // It is the destination's limit that forbids it: nothing is wrong with the destination.
  expect(await world.destination(id)).toMatchObject({ health: 'ok', waiting: 0, notDelivered: 1 });

  await world.changeDestination(id, { customers: [] });
  await on.admin.send('POST', '/api/outgoing/messages/send-again', { destinationId: id });
  await expect.poll(async () => (await receipt(forbidden))?.state).toBe('sent');
});

/** Alerts that wait for a destination, which goes on with all of them at once, and how they are limited to another customer. */
async function waitFor(count: number, input: Omit<NewDestination, 'name'>, refuse: (isOn: boolean) => void) {
  const customer = `Many ${crypto.randomUUID()}`;
  refuse(true);
  const { destination } = await on.addFor(customer, input);
  for (let at = 0; at < count; at++) await post({ customer, title: `Disk ${at} is full` });
  const read = () => world.destination(destination.id);
  await expect.poll(async () => (await read()).waiting).toBe(count);
  refuse(false);
  await world.changeDestination(destination.id, { name: `Again ${customer}` });
  return { read, limit: () => world.changeDestination(destination.id, { customers: ['Somebody else'] }) };
}

const TOO_FAST = { status: 429, headers: { 'Retry-After': '600' } };

test('a limit counts at once where messages wait for the pace of their service', async () => {
  const receiver = await receive(zulipRules('bot@zulip.example.com', 'key12345', 'alerts'));
  const zulip = {
    kind: 'zulip',
    url: receiver.url,
    account: 'bot@zulip.example.com',
    token: 'key12345',
    room: 'alerts',
  };
  const { read, limit } = await waitFor(10, zulip as Omit<NewDestination, 'name'>, (isOn) =>
    receiver.answer(isOn ? TOO_FAST : undefined),
  );
  await expect.poll(() => receiver.taken().length).toBeGreaterThanOrEqual(2);
  await limit();
  const sent = receiver.taken().length;
  await expect.poll(async () => (await read()).waiting).toBe(0);
  // One may have been on its way.
  expect(receiver.taken().length).toBeLessThanOrEqual(sent + 1);
});
