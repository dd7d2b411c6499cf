import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createEventBus } from './event-bus.ts';
import { type SocketServerDeps, createSocketServer } from './socket-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** A socket server over clients that only count how often they are greeted again, and how many alerts they were greeted with. */
function serverWith(countInbox: () => Promise<number>) {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const added: number[] = [];
  let closed = 0;
  let members = 0;
  const hub = {
    size: 1,
    greetings: [] as string[],
    greetAgain: (hello: string) => void hub.greetings.push(hello),
    add: (_socket: unknown, _connection: unknown, _recipient: unknown, hello: string) =>
      void added.push((JSON.parse(hello) as { inboxCount: number }).inboxCount),
  };
  const warn = vi.fn<() => void>();
  const { options, middleware } = createSocketServer({
    events,
    hub,
    countInbox,
    logger: { warn },
    place: () => 'place',
    isDelayed: () => false,
    looking: { add: () => undefined },
    contextOf: () => ({}),
    isAllowedHost: () => true,
    tokenOf: () => 'token',
    findMember: () => Promise.resolve({ id: `member ${(members += 1)}` }),
  } as unknown as SocketServerDeps);
  /** A page connects. Resolves once it is greeted, or sent away. */
  const connect = async (): Promise<void> => {
    const req = { socket: { once: () => undefined } };
    await new Promise<boolean>((resolve) => void options.verifyClient({ req } as never, resolve));
    const websocket = { close: () => (closed += 1) };
    await middleware({ req, query: {}, websocket } as never, () => Promise.resolve());
  };
  return { events, hub, warn, connect, added, closed: () => closed };
}

test('pages are greeted once the database is back, however often it was away', async () => {
  vi.useFakeTimers();
  try {
    const countInbox = vi
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockRejectedValueOnce(new Error('still away'))
      .mockResolvedValue(7);
    const { events, hub, warn } = serverWith(countInbox);
    events.publish({ type: 'resync' });
    await vi.advanceTimersByTimeAsync(0);
    expect(hub.greetings).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(hub.greetings).toEqual([expect.stringContaining('"inboxCount":7')]);
    expect(countInbox).toHaveBeenCalledTimes(3);
    expect(warn).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});

test('what happens while pages are greeted has them greeted once more a second later, however much it is', async () => {
  vi.useFakeTimers();
  try {
    const first = Promise.withResolvers<number>();
    const countInbox = vi.fn<() => Promise<number>>().mockReturnValueOnce(first.promise).mockResolvedValue(2);
    const { events, hub } = serverWith(countInbox);
    for (let times = 0; times < 5; times += 1) events.publish({ type: 'resync' });
    first.resolve(1);
    await vi.advanceTimersByTimeAsync(0);
    events.publish({ type: 'resync' });
    await vi.advanceTimersByTimeAsync(999);
    expect([hub.greetings.length, countInbox.mock.calls.length]).toEqual([1, 1]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([hub.greetings.length, countInbox.mock.calls.length]).toEqual([2, 2]);
  } finally {
    vi.useRealTimers();
  }
});

test('while the server is not in step with the others pages are greeted once a second', async () => {
  vi.useFakeTimers();
  try {
    const countInbox = vi.fn<() => Promise<number>>().mockResolvedValue(2);
    const { events, hub } = serverWith(countInbox);
    for (let times = 0; times < 99; times += 1) {
      events.publish({ type: 'resync' });
      await vi.advanceTimersByTimeAsync(50);
    }
    expect(hub.greetings).toHaveLength(5);
  } finally {
    vi.useRealTimers();
  }
});

test('pages that connect while the inbox is counted share the next count, however many they are', async () => {
  const counts = Array.from({ length: 3 }, () => Promise.withResolvers<number>());
  const countInbox = vi.fn<() => Promise<number>>();
  for (const { promise } of counts) countInbox.mockReturnValueOnce(promise);
  const { connect, added, closed } = serverWith(countInbox);
  const first = connect();
  await waitFor(() => expect(countInbox).toHaveBeenCalledTimes(1));
  const others = Array.from({ length: 20 }, connect);
  // By then all of them wait for a count.
  await setImmediate();
  counts[0]?.resolve(1);
  await first;
  await waitFor(() => expect(countInbox).toHaveBeenCalledTimes(2));
  counts[1]?.reject(new Error('away'));
  await Promise.all(others);
  expect([added, closed()]).toEqual([[1], 20]);
  counts[2]?.resolve(3);
  await connect();
  expect([added, countInbox.mock.calls.length]).toEqual([[1, 3], 3]);
});

test('nobody is greeted where nobody is connected', async () => {
  vi.useFakeTimers();
  try {
    const countInbox = vi.fn<() => Promise<number>>().mockRejectedValue(new Error('away'));
    const { events, hub } = serverWith(countInbox);
    events.publish({ type: 'live_delayed', isDelayed: true });
    await vi.advanceTimersByTimeAsync(0);
    hub.size = 0;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(countInbox).toHaveBeenCalledTimes(1);
    events.publish({ type: 'resync' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(countInbox).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
