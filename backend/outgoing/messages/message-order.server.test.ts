import { expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import type { CompiledRule } from '#backend/outgoing/rules/compile-rule.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { must } from '#tests/support/write-routes.ts';
import type { Happening } from './happenings.ts';
import { type OutgoingPlan, makeMessages } from './make-messages.ts';
import { storeMessages } from './store-messages.ts';

const EVENTS: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed'];

const on = useOutgoingServer();

/** A plan that sends all of an alert to one destination. */
function planOf(destinationId: string): OutgoingPlan {
  const rule: CompiledRule = {
    id: 'rule',
    name: 'rule',
    events: new Set(EVENTS),
    activeSince: 0,
    destinationIds: [destinationId],
    ladder: null,
    mayMatch: () => true,
    matches: () => true,
  };
  const destination = { id: destinationId, customers: [], isPaused: false, isForPeople: false, isLive: false };
  return { rules: [rule], destinations: new Map([[destinationId, destination]]) };
}

/** A completed alert with a destination that no rule of the server sends to, and what happened to the alert. */
async function completedAlert() {
  const customer = crypto.randomUUID();
  const receiver = await on.receive();
  const input = { kind: 'webhook' as const, name: customer, url: receiver.url };
  const { destination } = await on.world.addDestination(input);
  const alertId = await on.post({ customer, title: 'Disk full' });
  await must(on.admin.send('POST', `/api/alerts/${alertId}/accept`, {}));
  await must(on.admin.send('PATCH', `/api/webhooks/${alertId}/status`, { status: 'completed' }));
  const now = Date.now();
  const happening = (event: OutgoingEvent, key: string | null, at = now - 60_000): Happening => ({
    alertId,
    event,
    key,
    at,
    by: 'sender',
  });
  return { alertId, plan: planOf(destination.id), happening, now };
}

const deps = () => ({ database: on.server.database, publicUrl: undefined });

test('what an alert begins with comes before its end, in whatever order servers wrote it down', async () => {
  const { plan, happening, now } = await completedAlert();
  const messages = await makeMessages(deps(), plan, [
    happening('completed', null, now),
    happening('accepted', 'accepted:2-1'),
    happening('escalated', 'escalated:1-2'),
    happening('new', 'new'),
  ]);
  expect(messages.map(({ event }) => event)).toEqual(['new', 'accepted', 'escalated', 'completed']);
});

test('an alert that is given to somebody after it was completed is sent after its end', async () => {
  const { plan, happening, now } = await completedAlert();
  const messages = await makeMessages(deps(), plan, [
    happening('new', 'new'),
    happening('completed', null, now),
    happening('accepted', 'accepted:2-1', now + 5_000),
  ]);
  expect(messages.map(({ event }) => event)).toEqual(['new', 'completed', 'accepted']);
});

test('where the end of an alert was sent, no beginning that is read later is sent behind it', async () => {
  const { plan, happening, now } = await completedAlert();
  const end = await makeMessages(deps(), plan, [happening('completed', null, now)]);
  await on.server.database.transaction((tx) => storeMessages(tx, end));
  const beginnings = [happening('new', 'new'), happening('escalated', 'escalated:1-2')];
  expect(await makeMessages(deps(), plan, beginnings)).toEqual([]);
  // Another destination has no end of it: there it is sent as ever.
  const other = await makeMessages(deps(), planOf(crypto.randomUUID()), beginnings);
  expect(other.map(({ event }) => event)).toEqual(['new', 'escalated']);
});
