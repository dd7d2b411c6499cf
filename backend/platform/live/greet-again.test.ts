import { expect, test, vi } from 'vitest';
import { createEventBus } from './event-bus.ts';
import { type SocketServerDeps, createSocketServer } from './socket-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** A socket server over clients that only count how often they are greeted again. */
function serverWith(countInbox: () => Promise<number>) {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const hub = { size: 1, greetings: [] as string[], greetAgain: (hello: string) => void hub.greetings.push(hello) };
  const warn = vi.fn<() => void>();
  createSocketServer({
    events,
    hub,
    countInbox,
    logger: { warn },
    place: () => 'place',
    isDelayed: () => false,
  } as unknown as SocketServerDeps);
  return { events, hub, warn };
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

test('what happens while pages are greeted has them greeted once more, however much it is', async () => {
  const first = Promise.withResolvers<number>();
  const countInbox = vi.fn<() => Promise<number>>().mockReturnValueOnce(first.promise).mockResolvedValue(2);
  const { events, hub } = serverWith(countInbox);
  for (let times = 0; times < 5; times += 1) events.publish({ type: 'resync' });
  first.resolve(1);
  await waitFor(() => expect(hub.greetings).toHaveLength(2));
  expect(countInbox).toHaveBeenCalledTimes(2);
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
