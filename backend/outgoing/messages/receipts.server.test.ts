import { expect, test } from 'vitest';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { type StoredMessage, MessageEntity, newMessage } from './message-entity.ts';
import { MAX_RECEIPTS, findMessages } from './receipts.ts';
import { storeMessages } from './store-messages.ts';

const on = useOutgoingServer();

/** A destination that is paused, so that what waits for it stays. */
async function pausedDestination(customer: string): Promise<string> {
  const receiver = await on.receive();
  const { destination } = await on.addFor(customer, { kind: 'webhook', url: receiver.url });
  await on.world.changeDestination(destination.id, { isPaused: true });
  return destination.id;
}

/** The message of a new alert, to be stored again. */
async function firstMessage(): Promise<{ alertId: string; destinationId: string; content: string }> {
  const customer = crypto.randomUUID();
  const receiver = await on.receive();
  const { destination } = await on.addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await on.post({ customer, title: 'Disk full' });
  const read = () => on.server.database.reads.getRepository(MessageEntity).findOneBy({ alertId });
  await expect.poll(async () => (await read())?.state).toBe('sent');
  return { alertId, destinationId: destination.id, content: (await read())?.content ?? '' };
}

const store = (messages: readonly StoredMessage[]) =>
  on.server.database.transaction((tx) =>
    storeMessages(
      tx,
      messages.map((message) => ({ ...message, replaces: false, ruleIds: [] })),
    ),
  );

test('of an alert with many receipts the newest are shown, and it is said that there are older ones', async () => {
  const { alertId, content } = await firstMessage();
  const paused = await pausedDestination(crypto.randomUUID());
  const make = (at: number) =>
    newMessage(alertId, { id: paused, isForPeople: false }, { event: 'escalated', key: `escalated:1-${at}` }, content);
  const messages = Array.from({ length: MAX_RECEIPTS - 1 }, (_, at) => make(at));
  await store(messages);
  const all = await on.world.receipts(alertId);
  expect([all.receipts.length, all.receipts[0]?.event, all.hasOlder]).toEqual([MAX_RECEIPTS, 'new', undefined]);
  const last = make(MAX_RECEIPTS);
  await store([last]);
  const { receipts, hasOlder } = await on.world.receipts(alertId);
  expect([receipts.length, receipts[0]?.id, receipts.at(-1)?.id, hasOlder]).toEqual([
    MAX_RECEIPTS,
    messages[0]?.id,
    last.id,
    true,
  ]);
});

test('a page of messages of all destinations reads the texts of these messages alone', async () => {
  const { alertId, content } = await firstMessage();
  const destinationIds = [await pausedDestination(crypto.randomUUID()), await pausedDestination(crypto.randomUUID())];
  const made: string[] = [];
  for (let at = 0; at < 120; at += 1) {
    const message = newMessage(
      alertId,
      { id: destinationIds[at % 2] ?? '', isForPeople: false },
      { event: 'escalated', key: `escalated:2-${at}` },
      content,
    );
    await store([message]);
    made.unshift(message.id);
  }
  const { database } = on.server;
  let texts = 0;
  const getRepository: typeof database.reads.getRepository = (entity) => {
    if ((entity as unknown) === MessageEntity) texts += 1;
    return database.reads.getRepository(entity);
  };
  const reads = Object.assign(Object.create(database.reads) as typeof database.reads, { getRepository });
  const ask = async (asked: Parameters<typeof findMessages>[1]) =>
    (await findMessages({ reads, dialect: database.dialect }, asked)).map(({ id }) => id);
  expect(await ask({})).toEqual(made.slice(0, 100));
  expect(await ask({ before: made[99] ?? '' })).toEqual(expect.arrayContaining(made.slice(100)));
  expect(await ask({ state: 'waiting' })).toEqual(made.slice(0, 100));
  const [destinationId = ''] = destinationIds;
  expect(await ask({ destinationId })).toEqual(made.filter((_, at) => at % 2 === 1));
  expect(await ask({ destinationId, state: 'waiting', before: made[1] ?? '' })).toEqual(
    made.slice(2).filter((_, at) => at % 2 === 1),
  );
  expect(texts).toBe(5);
});

test('what is sent again after many attempts is tried again as soon as a new message is', async () => {
  const customer = crypto.randomUUID();
  const receiver = await on.receive();
  receiver.answer({ status: 413 });
  const { destination } = await on.addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await on.post({ customer, title: 'Disk full' });
  const receipt = async () => (await on.world.receipts(alertId)).receipts[0];
  await expect.poll(async () => (await receipt())?.state).toBe('not-delivered');
  // As if it had been tried for a day.
  await on.server.database.transaction((tx) => tx.getRepository(MessageEntity).update({ alertId }, { attempts: 90 }));
  receiver.answer({ status: 503 });
  await on.admin.send('POST', '/api/outgoing/messages/send-again', { destinationId: destination.id });
  await expect.poll(async () => (await receipt())?.attempts.length).toBe(2);
  const again = await receipt();
  const waitMs = Date.parse(again?.nextAt ?? '') - Date.parse(again?.attempts[1]?.at ?? '');
  expect(waitMs).toBeLessThan(3_000);
  receiver.answer(undefined);
  await expect.poll(async () => (await receipt())?.state).toBe('sent');
});
