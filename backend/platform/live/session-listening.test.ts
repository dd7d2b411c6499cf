import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import { expect, test } from 'vitest';
import { Socket, joinHub, member } from '#tests/support/hub-socket.ts';
import { type DomainEvent, createEventBus } from './event-bus.ts';
import { createSocketHub } from './socket-hub.ts';

test('that a session listens is published with its first connection, and that it does not with its last', () => {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const published: unknown[] = [];
  events.subscribe((event: DomainEvent) => event.type === 'session_listening' && published.push(event.isListening));
  const hub = createSocketHub({
    events,
    audience: AUDIENCE,
    filterActive: async (ids) => new Set(ids),
    place: () => '',
  });
  const [first, second] = [new Socket(), new Socket()];
  for (const socket of [first, second]) joinHub(hub, socket, { actor: member('anna') });
  expect(published).toEqual([true]);
  first.emit('close');
  expect(published).toEqual([true]);
  second.emit('close');
  expect([published, hub.isListening('session of anna')]).toEqual([[true, false], false]);
  hub.close();
});
