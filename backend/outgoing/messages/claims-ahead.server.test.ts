import { expect, onTestFinished, test } from 'vitest';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { endRun } from '#backend/outgoing/ladders/end-ladder.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { LADDER_KEY, MessageEntity, type StoredMessage } from './message-entity.ts';
import { pruneMessages } from './prune-messages.ts';
import { makeDue } from './record-results.ts';
import { storeMessages, storeUpdates } from './store-messages.ts';

const HOUR_MS = 60 * 60_000;

const on = useOutgoingServer();

/** A message whose server was killed while it sent it, before the clock was set back by an hour. */
async function claimedAhead(more: Partial<StoredMessage> = {}) {
  const { database } = on.server;
  const draft = { kind: 'webhook', name: crypto.randomUUID(), url: 'https://hooks.example.com/in' } as const;
  const { id: destinationId } = (await on.world.addDestination(draft)).destination;
  // The server of this test leaves it alone.
  await on.world.changeDestination(destinationId, { isPaused: true });
  const [alertId = ''] = await insertAlerts(database, [{ title: 'Disk full' }]);
  const now = Date.now();
  const message: StoredMessage = {
    id: newId(),
    destinationId,
    alertId,
    event: 'new',
    eventKey: 'new',
    state: 'waiting',
    content: JSON.stringify(
      contentOf({ ...SAMPLE_ALERT, id: alertId }, { event: 'new', at: now, by: null }, undefined),
    ),
    attempts: 1,
    nextAt: now + 1000,
    claimedUntil: now + HOUR_MS,
    attemptLog: '[]',
    createdAt: now,
    giveUpAt: now + 24 * HOUR_MS,
    finishedAt: null,
    ...more,
  };
  await database.transaction((tx) => tx.getRepository(MessageEntity).insert(message));
  const read = () => database.reads.getRepository(MessageEntity).find({ where: { alertId }, order: { id: 'ASC' } });
  return { database, message, now, states: async () => (await read()).map(({ state }) => state), read };
}

test('a newer message takes the place of one whose claim is ahead of a clock that was set back', async () => {
  const { database, message, states } = await claimedAhead();
  const newer = { ...message, id: newId(), event: 'accepted' as const, eventKey: 'accepted', claimedUntil: 0 };
  await database.transaction((tx) => storeMessages(tx, [{ ...newer, replaces: true, ruleIds: [] }]));
  expect(await states()).toEqual(['replaced', 'waiting']);
});

test('and a change is said by it, not by a second one', async () => {
  const { database, message, now, read } = await claimedAhead();
  const alert = { ...SAMPLE_ALERT, id: message.alertId, title: 'Disk fuller' };
  const content = JSON.stringify(contentOf(alert, { event: 'new', at: now, by: null }, undefined));
  const update = { ...message, id: newId(), event: 'update' as const, eventKey: 'update', claimedUntil: 0, content };
  await database.transaction((tx) => storeUpdates(tx, [update]));
  expect((await read()).map((row) => row.content.includes('Disk fuller'))).toEqual([true]);
});

test('it is made due with the others', async () => {
  const { database, message, now, read } = await claimedAhead();
  await database.transaction((tx) => makeDue(tx, message.destinationId, now));
  expect((await read()).map(({ nextAt }) => nextAt)).toEqual([0]);
});

test('it is dropped with its ladder', async () => {
  const runId = newId();
  const { database, message, now, states } = await claimedAhead({ eventKey: `${LADDER_KEY}${runId}:0` });
  const end = { reason: 'accepted', by: null, at: now, ownerId: null } as const;
  await database.transaction((tx) => endRun(tx, { id: runId, alertId: message.alertId }, end));
  expect(await states()).toEqual(['replaced']);
});

test('it is given up in time', async () => {
  const { database, now, states } = await claimedAhead({ giveUpAt: Date.now() - 1 });
  await pruneMessages(database, new AbortController().signal, now);
  expect(await states()).toEqual(['not-delivered']);
});

test('pages learn of what is given up while nothing is sent, as while its destination is paused', async () => {
  const { socket, events } = await listenLive(on.admin);
  onTestFinished(() => socket.close());
  const changes = () => events.filter(({ type }) => type === 'outgoing_changed').length;
  const { database, now, states } = await claimedAhead({ giveUpAt: Date.now() - 1, claimedUntil: 0 });
  // The destination was made and paused.
  await expect.poll(changes).toBe(2);
  await pruneMessages(database, new AbortController().signal, now);
  expect(await states()).toEqual(['not-delivered']);
  await expect.poll(changes).toBe(3);
});
