import { EventEmitter } from 'node:events';
import type { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { jsonText } from '#backend/endpoint/json-text.ts';
import { type EventBus, createEventBus } from '#backend/live/event-bus.ts';
import { MAX_BUFFERED_BYTES, PING_INTERVAL_MS, type SocketHub, createSocketHub } from '#backend/live/socket-hub.ts';

/** What the hub asks of a socket, and what it did with it. Real sockets are in live.server.test.ts. */
class Socket extends EventEmitter {
  bufferedAmount = 0;
  readonly sent: string[] = [];
  readonly closes: number[] = [];
  pings = 0;
  isTerminated = false;
  send(frame: Buffer): void {
    this.sent.push(frame.toString());
  }
  close(code: number): void {
    this.closes.push(code);
  }
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

const member = (id: string): Actor => ({ id, email: '', displayName: id, role: 'user', sessionId: `session of ${id}` });

let events: EventBus;
let hub: SocketHub;
let endedSessions: Set<string>;
let dropped: string[];
beforeEach(() => {
  vi.useFakeTimers();
  events = createEventBus((error) => {
    throw error;
  });
  endedSessions = new Set();
  dropped = [];
  hub = createSocketHub(events, async (ids) => new Set(ids).difference(endedSessions), {
    sent: () => undefined,
    dropped: (reason) => dropped.push(reason),
  });
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

function join(id: string, isBatched = true): Socket {
  const socket = new Socket();
  hub.add(socket as unknown as WebSocket, member(id), { isBatched, hello: jsonText('{"type":"hello"}') });
  return socket;
}

describe('the heartbeat', () => {
  test('keeps a client that answers, and drops one that missed a round', () => {
    const [answering, silent] = [join('a'), join('b')];
    vi.advanceTimersByTime(PING_INTERVAL_MS);
    answering.emit('pong');
    expect([answering.pings, silent.pings]).toEqual([1, 1]);
    vi.advanceTimersByTime(PING_INTERVAL_MS);
    expect(silent.isTerminated).toBe(true);
    expect(answering.isTerminated).toBe(false);
    expect(hub.size).toBe(1);
    expect(dropped).toEqual(['no_heartbeat']);
  });
});

test('a session that ended elsewhere is noticed with the next heartbeat', async () => {
  const [staying, ended] = [join('a'), join('b')];
  endedSessions.add('session of b');
  await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
  expect(ended.closes).toEqual([4401]);
  expect(staying.closes).toEqual([]);
});

describe('a client that cannot keep up', () => {
  test('is told 1013 and cut off a second later', () => {
    const [slow, quick] = [join('slow'), join('quick')];
    slow.bufferedAmount = MAX_BUFFERED_BYTES + 1;
    events.publish({ type: 'alert_deleted', alertId: 'x' });
    vi.advanceTimersByTime(10);
    expect(slow.closes).toEqual([1013]);
    expect(slow.sent).toHaveLength(1);
    expect(quick.sent).toHaveLength(2);
    expect(dropped).toEqual(['too_slow']);
    vi.advanceTimersByTime(1000);
    expect(slow.isTerminated).toBe(true);
    expect(hub.size).toBe(1);
  });

  test('and one that talks without end are dropped alike', () => {
    const talker = join('talker');
    for (let count = 0; count <= 600; count += 1) talker.emit('message');
    expect(talker.closes).toEqual([1013]);
    expect(dropped).toEqual(['too_talkative']);
  });
});

const deleted = (...ids: string[]) => ids.map((alertId) => ({ type: 'alert_deleted' as const, alertId }));
const publish = (...ids: string[]) => {
  for (const event of deleted(...ids)) events.publish(event);
};
/** What a client was sent after the greeting, frame by frame. */
const told = (socket: Socket) => socket.sent.slice(1).map((frame) => JSON.parse(frame) as unknown);

test('an event after a quiet time leaves at once; those of the next ten milliseconds share a frame', () => {
  const [batched, single] = [join('a'), join('b', false)];
  publish('first', 'of the same moment');
  vi.advanceTimersByTime(1);
  expect(told(batched)).toEqual([deleted('first', 'of the same moment')]);

  publish('x');
  vi.advanceTimersByTime(8);
  publish('y', 'z');
  expect(told(batched)).toHaveLength(1);
  vi.advanceTimersByTime(2);
  expect(told(batched).slice(1)).toEqual([deleted('x', 'y', 'z')]);
  expect(told(single)).toEqual(deleted('first', 'of the same moment', 'x', 'y', 'z'));

  vi.advanceTimersByTime(10);
  publish('later');
  vi.advanceTimersByTime(1);
  expect(told(batched).at(-1)).toEqual(deleted('later'));
});

test('counts a member’s connections', () => {
  const tabs = Array.from({ length: 10 }, () => join('a'));
  expect(hub.hasRoomFor('a')).toBe(false);
  expect(hub.hasRoomFor('b')).toBe(true);
  tabs[0]?.emit('close');
  expect(hub.hasRoomFor('a')).toBe(true);
});
