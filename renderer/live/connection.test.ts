import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connect } from './connection.ts';
import { liveUrl } from './live-connection.ts';

/** A WebSocket whose other end is the test. */
class TestSocket extends EventTarget {
  static readonly opened: TestSocket[] = [];
  readonly url: string;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
    TestSocket.opened.push(this);
  }

  close(): void {
    this.closed = true;
  }

  receive(data: string): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  end(code: number): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

function socket(index: number): TestSocket {
  const found = TestSocket.opened[index];
  if (!found) throw new Error(`No socket ${index} was opened.`);
  return found;
}

function listen() {
  const heard: string[] = [];
  const disconnect = connect('ws://desk.test/ws?batch=1', {
    onChange: (state) => heard.push(state),
    onEvents: (events) => heard.push(events.map(({ type }) => type).join(' ')),
    onUnreadable: () => heard.push('unreadable'),
    onSessionEnded: () => heard.push('session ended'),
    onRefused: () => heard.push('refused'),
  });
  return { heard, disconnect };
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
    const { heard } = listen();
    socket(0).dispatchEvent(new Event('open'));
    socket(0).receive('[{"type":"hello","version":"1.0.3","inboxCount":0},{"type":"alert_deleted","alertId":"a"}]');
    socket(0).receive('[{"type":"alert_deleted"}]');
    socket(0).receive('<html>');
    expect(heard).toEqual(['connected', 'hello alert_deleted', 'unreadable', 'unreadable']);
  });

  it('opens a closed connection again after 3 s', () => {
    const { heard } = listen();
    socket(0).dispatchEvent(new Event('open'));
    socket(0).end(1006);
    vi.advanceTimersByTime(2999);
    expect(TestSocket.opened).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(TestSocket.opened).toHaveLength(2);
    socket(1).dispatchEvent(new Event('open'));
    expect(heard).toEqual(['connected', 'disconnected', 'connected']);
  });

  it('tells of an attempt that never opened', () => {
    const { heard } = listen();
    socket(0).end(1006);
    expect(heard).toEqual(['disconnected', 'refused']);
  });

  it('stays closed when the session ended', () => {
    const { heard } = listen();
    socket(0).dispatchEvent(new Event('open'));
    socket(0).end(4401);
    vi.advanceTimersByTime(60_000);
    expect(heard).toEqual(['connected', 'disconnected', 'session ended']);
    expect(TestSocket.opened).toHaveLength(1);
  });

  it('stays closed and says nothing once it is shut down', () => {
    const { heard, disconnect } = listen();
    disconnect();
    socket(0).receive('[]');
    socket(0).end(1005);
    vi.advanceTimersByTime(60_000);
    expect(socket(0).closed).toBe(true);
    expect(heard).toEqual([]);
    expect(TestSocket.opened).toHaveLength(1);
  });
});

describe('liveUrl', () => {
  it('uses the page’s host, and wss on https', () => {
    expect(liveUrl({ protocol: 'http:', host: '127.0.0.1:4400' })).toBe('ws://127.0.0.1:4400/ws?batch=1');
    expect(liveUrl({ protocol: 'https:', host: 'desk.example' })).toBe('wss://desk.example/ws?batch=1');
  });
});
