import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ENDED_BY_ADMINISTRATOR } from '#backend/contract/live-event.ts';
import { liveUrl } from '#renderer/lib/early-start.ts';
import { TestSocket } from '#tests/support/test-socket.ts';
import { connect } from './connection.ts';

function socket(index: number): TestSocket {
  const found = TestSocket.opened[index];
  if (!found) throw new Error(`No socket ${index} was opened.`);
  return found;
}

function listen(random = () => 0) {
  const reported: string[] = [];
  const connection = connect(
    'ws://desk.test/ws?batch=1&places=1',
    {
      onChange: (state) => reported.push(state),
      onEvents: (events) => reported.push(events.map(({ type }) => type).join(' ')),
      onUnreadable: () => reported.push('unreadable'),
      onSessionEnded: (isByAdministrator) => reported.push(`session ended${isByAdministrator ? ' by another' : ''}`),
      onRefused: () => reported.push('refused'),
    },
    random,
  );
  return { reported, connection };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', TestSocket);
  TestSocket.opened.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('connect', () => {
  it('hands over the events of a frame and reports a frame it cannot read', () => {
    const { reported } = listen();
    socket(0).open();
    socket(0).receive('[{"type":"hello","version":"1.0.3","inboxCount":0},{"type":"alert_deleted","alertId":"a"}]');
    socket(0).receive('[{"type":"alert_deleted"}]');
    socket(0).receive('<html>');
    expect(reported).toEqual(['connected', 'hello alert_deleted', 'unreadable', 'unreadable']);
  });

  it('opens a closed connection again after 3 s', () => {
    const { reported } = listen();
    socket(0).open();
    socket(0).end(1006);
    vi.advanceTimersByTime(2999);
    expect(TestSocket.opened).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(TestSocket.opened).toHaveLength(2);
    socket(1).open();
    expect(reported).toEqual(['connected', 'disconnected', 'connected']);
  });

  it.each([
    [1006, 0.5, 3500],
    [1001, 0.5, 3500],
    [1012, 0.5, 3500],
    // Closed for this client alone, nobody else comes back with it.
    [1013, 0.5, 3000],
    [1000, 0.5, 3000],
  ])('after code %i comes back up to a second later by chance, unless it is alone (%f)', (code, chance, delay) => {
    listen(() => chance);
    socket(0).open();
    socket(0).end(code);
    vi.advanceTimersByTime(delay - 1);
    expect(TestSocket.opened).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(TestSocket.opened).toHaveLength(2);
  });

  it('asks over a silent connection whether it stands, and keeps one that answers', () => {
    const { reported } = listen();
    socket(0).open();
    for (let round = 1; round <= 5; round += 1) {
      vi.advanceTimersByTime(15_000);
      expect(socket(0).sent).toHaveLength(round);
      expect(JSON.parse(socket(0).sent.at(-1) ?? '')).toEqual({ type: 'ping' });
      vi.advanceTimersByTime(7_999);
      socket(0).receive('[{"type":"pong"}]');
    }
    expect(reported).toEqual(['connected']);
  });

  it('does not ask while events come', () => {
    listen();
    socket(0).open();
    for (let second = 0; second < 60; second += 1) {
      socket(0).receive('[{"type":"alert_deleted","alertId":"a"}]');
      vi.advanceTimersByTime(1_000);
    }
    expect(socket(0).sent).toEqual([]);
  });

  it('replaces a connection that does not answer, without waiting for its end', () => {
    const { reported } = listen();
    socket(0).open();
    vi.advanceTimersByTime(15_000 + 8_000);
    expect(reported).toEqual(['connected', 'disconnected']);
    expect(socket(0).closed).toBe(true);
    vi.advanceTimersByTime(3_000);
    socket(1).open();
    // The old one may still report its end, or a frame that was in flight.
    socket(0).receive('[{"type":"alert_deleted","alertId":"late"}]');
    socket(0).end(1006);
    vi.advanceTimersByTime(3_000);
    expect(reported).toEqual(['connected', 'disconnected', 'connected']);
    expect(TestSocket.opened).toHaveLength(2);
  });

  it('asks a second time when the page slept while it waited for the answer', () => {
    const { reported } = listen();
    socket(0).open();
    vi.advanceTimersByTime(15_000);
    // The timers of a page that sleeps stand still; its clock goes on.
    const slept = performance.now() + 600_000;
    vi.spyOn(performance, 'now').mockReturnValue(slept);
    vi.advanceTimersByTime(8_000);
    expect(socket(0).sent).toHaveLength(2);
    socket(0).receive('[{"type":"pong"}]');
    vi.advanceTimersByTime(8_000);
    expect(reported).toEqual(['connected']);
    vi.restoreAllMocks();
  });

  it('gives up an attempt that is not answered at all', () => {
    const { reported } = listen();
    vi.advanceTimersByTime(8_000);
    expect(reported).toEqual(['disconnected', 'refused']);
    vi.advanceTimersByTime(3_000);
    expect(TestSocket.opened).toHaveLength(2);
  });

  it('checks at once when asked to: asks over an open connection, opens a lost one', () => {
    const { reported, connection } = listen();
    socket(0).open();
    connection.check();
    connection.check();
    expect(socket(0).sent).toHaveLength(1);
    vi.advanceTimersByTime(8_000);
    expect(reported).toEqual(['connected', 'disconnected']);
    connection.check();
    expect(TestSocket.opened).toHaveLength(2);
    socket(1).open();
    vi.advanceTimersByTime(10_000);
    expect(TestSocket.opened).toHaveLength(2);
  });

  it('leaves an attempt alone that may still succeed when it is checked, unless the network has changed', () => {
    const { reported, connection } = listen();
    connection.check();
    expect([TestSocket.opened.length, socket(0).closed]).toEqual([1, false]);
    connection.check(true);
    expect([TestSocket.opened.length, socket(0).closed]).toEqual([2, true]);
    connection.check();
    vi.advanceTimersByTime(8_000);
    expect(reported).toEqual(['disconnected', 'refused']);
    connection.check();
    expect(TestSocket.opened).toHaveLength(3);
  });

  it('is in doubt when it is checked after a sleep, until something comes over it', () => {
    const { reported, connection } = listen();
    socket(0).open();
    vi.setSystemTime(Date.now() + 15_000);
    connection.check();
    expect(reported).toEqual(['connected']);
    // The timers of a machine that sleeps stand still; the clock on its wall goes on.
    vi.setSystemTime(Date.now() + 600_000);
    connection.check();
    connection.check();
    expect(reported).toEqual(['connected', 'checking']);
    socket(0).receive('[{"type":"pong"}]');
    expect(reported).toEqual(['connected', 'checking', 'connected']);
    connection.check();
    expect(reported).toEqual(['connected', 'checking', 'connected']);

    vi.setSystemTime(Date.now() + 600_000);
    connection.check();
    vi.advanceTimersByTime(8_000);
    expect(reported.slice(3)).toEqual(['checking', 'disconnected']);
  });

  it('measures a round trip by the answer to its own ping, and sends what is made of it', () => {
    const { connection } = listen();
    connection.measure(() => 'not open yet');
    socket(0).open();
    connection.check();
    socket(0).receive('[{"type":"alert_deleted","alertId":"a"}]');
    const measured: number[] = [];
    connection.measure((roundTripMs) => {
      measured.push(roundTripMs);
      return 'a report';
    });
    connection.measure(() => undefined);
    vi.advanceTimersByTime(10);
    // To the ping of the check.
    socket(0).receive('[{"type":"pong"}]');
    expect(measured).toEqual([]);
    vi.advanceTimersByTime(20);
    socket(0).receive('[{"type":"pong"},{"type":"pong"}]');
    expect(measured).toEqual([30]);
    expect(socket(0).sent.slice(3)).toEqual(['a report']);
    socket(0).receive('[{"type":"pong"}]');
    expect(measured).toEqual([30]);
  });

  it('does not come back by a check once the session has ended', () => {
    const { connection } = listen();
    socket(0).open();
    socket(0).end(4401);
    connection.check();
    expect(TestSocket.opened).toHaveLength(1);
  });

  it('reports an attempt that never opened', () => {
    const { reported } = listen();
    socket(0).end(1006);
    expect(reported).toEqual(['disconnected', 'refused']);
  });

  it('stays closed when the session ended', () => {
    const { reported } = listen();
    socket(0).open();
    socket(0).end(4401);
    vi.advanceTimersByTime(60_000);
    expect(reported).toEqual(['connected', 'disconnected', 'session ended']);
    expect(TestSocket.opened).toHaveLength(1);
  });

  it('connects again after the end of a session when the browser has another one, unless it was shut down', () => {
    const { reported, connection } = listen();
    socket(0).open();
    socket(0).end(4401);
    connection.resume();
    socket(1).open();
    expect(reported).toEqual(['connected', 'disconnected', 'session ended', 'connected']);
    socket(1).end(4401);
    connection.close();
    connection.resume();
    expect(TestSocket.opened).toHaveLength(2);
  });

  it('reports that an administrator ended the session', () => {
    const { reported } = listen();
    socket(0).open();
    socket(0).end(4401, ENDED_BY_ADMINISTRATOR);
    expect(reported).toEqual(['connected', 'disconnected', 'session ended by another']);
  });

  it('stays closed and says nothing once it is shut down', () => {
    const { reported, connection } = listen();
    connection.close();
    socket(0).receive('[]');
    socket(0).end(1005);
    vi.advanceTimersByTime(60_000);
    expect(socket(0).closed).toBe(true);
    expect(reported).toEqual([]);
    expect(TestSocket.opened).toHaveLength(1);
  });
});

describe('liveUrl', () => {
  it('uses the page’s host, and wss on https', () => {
    expect(liveUrl({ protocol: 'http:', host: '127.0.0.1:4400' })).toBe('ws://127.0.0.1:4400/ws?batch=1&places=1');
    expect(liveUrl({ protocol: 'https:', host: 'desk.example' })).toBe('wss://desk.example/ws?batch=1&places=1');
  });
});
