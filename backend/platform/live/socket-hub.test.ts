import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { Socket, joinHub, member, updated } from '#tests/support/hub-socket.ts';
import { type DomainEvent, type EventBus, createEventBus } from './event-bus.ts';
import {
  MAX_BUFFERED_BYTES,
  MAX_BUFFERED_OF_ALL,
  PING_INTERVAL_MS,
  type SocketHub,
  createSocketHub,
} from './socket-hub.ts';

let events: EventBus;
let hub: SocketHub;
let endedSessions: Set<string>;
/** What the answer on ended sessions waits for. */
let database: Promise<void>;
let dropped: string[];
let delivered: [milliseconds: number, origin: string][];

beforeEach(() => {
  vi.useFakeTimers();
  events = createEventBus((error) => {
    throw error;
  });
  endedSessions = new Set();
  database = Promise.resolve();
  dropped = [];
  delivered = [];
  const filterActive = async (ids: string[]) => {
    const good = new Set(ids).difference(endedSessions);
    await database;
    return good;
  };
  hub = createSocketHub({
    events,
    audience: AUDIENCE,
    filterActive,
    place: () => '',
    observer: {
      sent: () => undefined,
      dropped: (reason) => dropped.push(reason),
      delivered: (seconds, origin) => delivered.push([Math.round(seconds * 1000), origin]),
      shown: () => undefined,
    },
  });
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

function join(id: string, isBatched = true, role: Actor['role'] = 'user'): Socket {
  const socket = new Socket();
  joinHub(hub, socket, { actor: member(id, role), isBatched });
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

test('a client whose greeting is made while the hub is closed is sent away, and cut when it does not go', () => {
  hub.close();
  const socket = join('a');
  expect([hub.size, socket.sent, socket.closes]).toEqual([0, [], [1001]]);
  vi.advanceTimersByTime(1_000);
  expect(socket.isTerminated).toBe(true);
});

test('a client that left while its greeting was made is no listener', () => {
  const published: string[] = [];
  events.subscribe(({ type }) => published.push(type));
  const socket = Object.assign(new Socket(), { readyState: 3 });
  joinHub(hub, socket, { actor: member('a') });
  expect({ size: hub.size, isListening: hub.isListening('session of a'), published, sent: socket.sent }).toEqual({
    size: 0,
    isListening: false,
    published: [],
    sent: [],
  });
});

test('a client that is closing is sent nothing more, and another one everything', () => {
  const [closing, staying] = [join('a'), join('b')];
  vi.runOnlyPendingTimers();
  const before = [closing.sent.length, staying.sent.length];
  closing.readyState = 2;
  events.publish({ type: 'alert_deleted', alertId: 'one' });
  vi.advanceTimersByTime(100);
  expect([closing.sent.length, staying.sent.length - 1]).toEqual(before);
  expect(staying.sent.at(-1)).toContain('one');
  // It is there until its connection has ended.
  expect(hub.size).toBe(2);
  closing.emit('close');
  expect(hub.size).toBe(1);
});

test('a session that ends between two slices of its window is sent nothing more of it', () => {
  const all = Array.from({ length: 48 }, (_, number) => join(`${number}`));
  vi.advanceTimersByTime(100);
  const greetings = all.map(({ sent }) => sent.length);
  // Each clock that is read while a window is sent is later than a turn may take.
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 4));
  events.publish({ type: 'alert_deleted', alertId: 'one' });
  vi.advanceTimersToNextTimer();
  const reached = all.filter(({ sent }, number) => sent.length > (greetings[number] ?? 0)).length;
  expect(reached).toBeGreaterThan(0);
  expect(reached).toBeLessThan(48);
  events.publish({ type: 'session_ended', sessionId: 'session of 47', isRenewed: false });
  clock.mockRestore();
  vi.advanceTimersByTime(1_000);
  expect(all[47]?.closes).toEqual([4401]);
  expect(all.map(({ sent }, number) => sent.length - (greetings[number] ?? 0))).toEqual(
    all.map((_, number) => (number === 47 ? 0 : 1)),
  );
});

test('a session that ended elsewhere is noticed with the next heartbeat', async () => {
  const [staying, ended] = [join('a'), join('b')];
  endedSessions.add('session of b');
  await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
  expect(ended.closes).toEqual([4401]);
  expect(staying.closes).toEqual([]);
});

test('a client that joins while sessions are checked is not closed with those that ended', async () => {
  const ended = join('a');
  endedSessions.add('session of a');
  const answer = Promise.withResolvers<void>();
  database = answer.promise;
  await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
  const joined = join('b');
  answer.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([ended.closes, joined.closes]).toEqual([[4401], []]);
});

test('a database that hangs is asked once about ended sessions, not with each heartbeat', async () => {
  const asked = vi.fn<() => Promise<Set<string>>>(() => new Promise(() => undefined));
  const hanging = createSocketHub({ events, audience: AUDIENCE, filterActive: asked, place: () => '' });
  const socket = new Socket();
  joinHub(hanging, socket, { actor: member('a') });
  for (let round = 0; round < 3; round += 1) {
    await vi.advanceTimersByTimeAsync(PING_INTERVAL_MS);
    socket.emit('pong');
  }
  expect(asked).toHaveBeenCalledTimes(1);
  hanging.close();
});

describe('a client that cannot keep up', () => {
  test('gets close code 1013 and is cut off a second later', () => {
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
});

test('clients that together leave too much untaken are dropped, others are not', () => {
  const sockets = Array.from({ length: 150 }, (_, number) => join(`${number}`));
  for (const socket of sockets.slice(60)) socket.bufferedAmount = (MAX_BUFFERED_OF_ALL / 90) * 1.01;
  events.publish({ type: 'alert_deleted', alertId: 'x' });
  vi.advanceTimersByTime(10);
  expect(sockets.map(({ closes }) => closes.length)).toEqual(sockets.map((_, number) => (number < 60 ? 0 : 1)));
});
describe('a client that sends more than 20 frames a second', () => {
  test.each(['message', 'ping', 'pong'])('is dropped and read no more when they are a %s', (frame) => {
    const talker = join('talker');
    for (let count = 0; count <= 20; count += 1) talker.emit(frame);
    expect(talker.closes).toEqual([1013]);
    expect(talker.isPaused).toBe(true);
    expect(dropped).toEqual(['too_talkative']);
  });

  test('is dropped though it sends a pong after each message', () => {
    const talker = join('talker');
    for (let count = 0; count <= 20; count += 1) {
      talker.emit('message');
      talker.emit('pong');
    }
    expect(talker.closes).toEqual([1013]);
  });

  test('is not one that sends 20 in each second', () => {
    const client = join('a');
    for (let second = 0; second < 10; second += 1) {
      for (let count = 0; count < 20; count += 1) client.emit('message');
      vi.advanceTimersByTime(1000);
    }
    expect(client.closes).toEqual([]);
  });
});

describe('what few may receive', () => {
  test.each([true, false])('is one buffer for all who receive the same (batched: %s)', (isBatched) => {
    const members = Array.from({ length: 5 }, (_, index) => join(`member ${index}`, isBatched));
    const admins = Array.from({ length: 3 }, (_, index) => join(`admin ${index}`, isBatched, 'admin'));
    publish('public');
    events.publish(updated('member 0'));
    vi.advanceTimersByTime(10);
    const buffers = new Set([...members, ...admins].flatMap(({ frames }) => frames.slice(1)));
    // Batched: what all receive, and what the owner and the administrators receive. Else one for each event.
    expect(buffers.size).toBe(2);
    const received = [...admins, ...members].map(({ sent }) => sent.slice(1).join('').includes('alert_updated'));
    expect(received).toEqual([true, true, true, true, false, false, false, false]);
  });

  test('does not multiply what all receive, however many receive something of their own beside it', () => {
    const members = Array.from({ length: 100 }, (_, index) => join(`member ${index}`));
    publish('public');
    events.publish({ ...updated('nobody', 100_000), type: 'new_alert' } as DomainEvent);
    for (const index of members.keys()) events.publish({ type: 'folders_changed', userId: `member ${index}` });
    vi.advanceTimersByTime(10);
    const buffers = new Set(members.flatMap(({ frames }) => frames.slice(1)));
    const bytes = [...buffers].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThan(10 * 100_000);
    for (const { sent } of members) {
      const types = sent.slice(1).flatMap((frame) => (JSON.parse(frame) as { type: string }[]).map(({ type }) => type));
      expect(types).toEqual(['alert_deleted', 'new_alert', 'folders_changed']);
    }
  });
});

const deleted = (...ids: string[]) => ids.map((alertId) => ({ type: 'alert_deleted' as const, alertId }));
const publish = (...ids: string[]) => {
  for (const event of deleted(...ids)) events.publish(event);
};
/** What a client was sent after the greeting, frame by frame. */
const framesOf = ({ sent }: Socket) => sent.slice(1).map((frame) => JSON.parse(frame) as unknown);

test('an event after a quiet time leaves at once; those of the next ten milliseconds share a frame', () => {
  const [batched, single] = [join('a'), join('b', false)];
  publish('first', 'of the same moment');
  vi.advanceTimersByTime(1);
  expect(framesOf(batched)).toEqual([deleted('first', 'of the same moment')]);

  publish('x');
  vi.advanceTimersByTime(8);
  publish('y', 'z');
  expect(batched.sent).toHaveLength(2);
  vi.advanceTimersByTime(2);
  expect(framesOf(batched).slice(1)).toEqual([deleted('x', 'y', 'z')]);
  expect(framesOf(single)).toEqual(deleted('first', 'of the same moment', 'x', 'y', 'z'));

  vi.advanceTimersByTime(10);
  publish('later');
  vi.advanceTimersByTime(1);
  expect(framesOf(batched).at(-1)).toEqual(deleted('later'));
});

const readNow = () => ({ ...updated('nobody'), type: 'new_alert', readAt: performance.now() }) as DomainEvent;

test('the time from a webhook ends once its alert was sent to all clients; nobody’s is not measured', () => {
  events.publish(readNow());
  vi.advanceTimersByTime(20);
  for (const id of ['a', 'b']) join(id);
  events.publish(readNow(), 'elsewhere');
  events.publish(readNow());
  vi.advanceTimersByTime(5);
  expect(delivered.map(([, origin]) => origin)).toEqual(['elsewhere', 'here']);
  for (const [milliseconds] of delivered) expect(milliseconds).toBeLessThanOrEqual(5);
});
