import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type DomainEvent, createEventBus } from './event-bus.ts';
import { createSocketHub } from './socket-hub.ts';

const ANNA: Actor = { id: 'anna', email: '', displayName: 'Anna', role: 'user', sessionId: 'session', provedAt: 0 };

/** A connection that takes whatever it is sent. */
const connection = () =>
  Object.assign(new EventEmitter(), {
    readyState: 1,
    OPEN: 1,
    bufferedAmount: 0,
    send() {},
    close() {},
    terminate() {},
  });

test('that a session listens is published with its first connection, and that it does not with its last', () => {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const published: unknown[] = [];
  events.subscribe((event: DomainEvent) => event.type === 'session_listening' && published.push(event.isListening));
  const hub = createSocketHub(events, AUDIENCE, async (ids) => new Set(ids));
  const [first, second] = [connection(), connection()];
  for (const socket of [first, second])
    hub.add(socket as unknown as WebSocket, ANNA, { isBatched: true, hello: jsonText('{}') });
  expect(published).toEqual([true]);
  first.emit('close');
  expect(published).toEqual([true]);
  second.emit('close');
  expect([published, hub.isListening('session')]).toEqual([[true, false], false]);
  hub.close();
});
