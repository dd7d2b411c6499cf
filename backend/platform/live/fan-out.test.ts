import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { member } from '#tests/support/hub-socket.ts';
import { createFanOut } from './fan-out.ts';
import type { Recipient } from './live-frames.ts';

interface Client extends Recipient {
  /** Texts of the frames that it was sent. */
  sent: string[];
}

/** A moment of `performance.now()`: it moves when something is sent, and with the timers. */
let now: number;
let clients: Set<Client>;
let sentWindows: number[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] });
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  clients = new Set();
  sentWindows = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const join = (): Client => {
  const client = { actor: member(`${clients.size}`), isBatched: false, isPlaced: false, sent: [] };
  clients.add(client);
  return client;
};

/** @param sendMs what it takes to send to one client @param andThen what happens with each sending */
const fanOutTaking = (sendMs: number, andThen: (client: Client) => void = () => undefined) =>
  createFanOut({
    clients,
    audience: AUDIENCE,
    windowOf: (pending) => [...pending],
    begin: () => undefined,
    send(client, { frames }) {
      now += sendMs;
      client.sent.push(...frames.map((frame) => frame.subarray(2).toString()));
      andThen(client);
    },
    sent: (window) => sentWindows.push(window.length),
  });

const event = (alertId: string) => ({
  event: { type: 'alert_deleted' as const, alertId },
  origin: 'here' as const,
  text: jsonText(alertId),
});

/** Lets so many turns of the event loop pass. */
const turns = (count: number) => {
  for (let turn = 0; turn < count; turn += 1) vi.advanceTimersToNextTimer();
};

test('a turn sends to some clients, the next turns to the others; each receives everything in order', () => {
  const all = Array.from({ length: 48 }, join);
  const fanOut = fanOutTaking(1);
  fanOut.enqueue(event('one'));
  turns(1);
  expect(all.map(({ sent }) => sent.length)).toEqual(all.map((_, number) => (number < 16 ? 1 : 0)));

  fanOut.enqueue(event('two'));
  fanOut.flush();
  const joined = join();
  clients.delete(all[20] as Client);
  turns(2);
  expect(sentWindows).toEqual([1]);
  fanOut.finish();
  expect(sentWindows).toEqual([1, 1]);
  expect(all.map(({ sent }) => sent.join())).toEqual(all.map((_, number) => (number === 20 ? '' : 'one,two')));
  expect(joined.sent).toEqual(['two']);
});

test('who leaves while a slice is sent is sent nothing more, and nobody is left out for it', () => {
  const all = Array.from({ length: 48 }, join);
  // As the hub drops a client in the middle of sending: itself, and everybody of a session that ended.
  const ended = new Set([all[4], all[5], all[40]]);
  const fanOut = fanOutTaking(1, (client) => {
    if (client === all[4]) for (const one of ended) clients.delete(one as Client);
  });
  fanOut.enqueue(event('one'));
  turns(1);
  expect(all.slice(0, 16).map(({ sent }) => sent.length)).toEqual(
    all.slice(0, 16).map((_, number) => (number === 5 ? 0 : 1)),
  );
  turns(2);
  fanOut.enqueue(event('two'));
  fanOut.finish();
  expect(all.map(({ sent }) => sent.join())).toEqual(
    all.map((client, number) => (number === 4 ? 'one' : ended.has(client) ? '' : 'one,two')),
  );
});

test('what is pending when the server stops is sent before it does', () => {
  const all = Array.from({ length: 48 }, join);
  const fanOut = fanOutTaking(1);
  fanOut.enqueue(event('one'));
  turns(1);
  fanOut.enqueue(event('two'));
  fanOut.finish();
  expect(all.every(({ sent }) => sent.join() === 'one,two')).toBe(true);
});

test.each([
  [4, 10],
  [5, 64],
])('after a frame of %d events nothing is sent for %d ms', (events, pause) => {
  Array.from({ length: 16 }, join);
  const fanOut = fanOutTaking(2);
  for (let number = 0; number < events; number += 1) fanOut.enqueue(event(`${number}`));
  turns(1);
  expect(sentWindows).toEqual([events]);
  fanOut.enqueue(event('later'));
  vi.advanceTimersByTime(pause - 1);
  expect(sentWindows).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(sentWindows).toEqual([events, 1]);
});
