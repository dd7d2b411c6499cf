import type { WebSocket } from 'ws';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { canSee } from '#backend/alerts/alert/alert.ts';
import { Socket, member } from '#tests/support/hub-socket.ts';
import { type AlertAccess, type DomainEvent, createEventBus } from './event-bus.ts';
import { createLooking } from './looking.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const PENDING: AlertAccess = { status: 'pending', ownerId: null };

/** A server without sockets to send to: what would be sent is what is published. */
function startLooking(hasOtherServers = false) {
  const events = createEventBus((error) => expect.unreachable(String(error)));
  const published: DomainEvent[] = [];
  events.subscribe((event) => published.push(event));
  const findAccess = vi.fn<(ids: string[]) => Promise<Map<string, AlertAccess>>>(
    async (ids) => new Map(ids.map((id) => [id, PENDING])),
  );
  const looking = createLooking({
    events,
    canSee,
    serverId: 'here',
    hasOtherServers: () => hasOtherServers,
    findAccess,
  });
  const join = (name: string): Socket => {
    const socket = new Socket();
    looking.add(socket as unknown as WebSocket, { actor: member(name), isBatched: true, isPlaced: false });
    return socket;
  };
  const shown = () =>
    published.flatMap((event) =>
      event.type === 'looking_changed' ? [`${event.alertId}: ${event.people.map(({ id }) => id).join()}`] : [],
    );
  return { events, looking, findAccess, join, shown, published };
}

const look = (socket: Socket, alertId: string | null) =>
  socket.emit('message', JSON.stringify({ type: 'looking', alertId }));
const answers = (socket: Socket) => {
  vi.spyOn(socket, 'ping').mockImplementation(() => socket.emit('pong'));
  return socket;
};
const elsewhere = (id: string | null): DomainEvent => ({
  type: 'server_looking',
  serverId: 'other',
  looks: id === null ? [] : [[id, 'ines', 'Ines', 'user']],
});

test('nothing is asked, sent or waited for while nobody looks, or while nobody else is there', async () => {
  const { join, shown, findAccess, published } = startLooking();
  const [tab, other] = [answers(join('jonas')), join('jonas')];
  await vi.advanceTimersByTimeAsync(10_000);
  expect(vi.getTimerCount()).toBe(0);
  look(tab, 'a');
  look(other, 'b');
  await vi.advanceTimersByTimeAsync(10_000);
  look(tab, null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([published, findAccess.mock.calls, vi.mocked(tab.ping).mock.calls]).toEqual([[], [], []]);
  expect(shown()).toEqual([]);
  look(other, null);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});

test('whoever does not answer is gone within two seconds, and is back when they do', async () => {
  const { join, shown } = startLooking();
  const jonas = answers(join('jonas'));
  join('maya');
  look(jonas, 'a');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(shown()).toEqual(['a: jonas']);
  vi.mocked(jonas.ping).mockImplementation(() => undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown()).toEqual(['a: jonas', 'a: ']);
  jonas.emit('pong');
  await vi.advanceTimersByTimeAsync(100);
  expect(shown().at(-1)).toBe('a: jonas');
  // Its session was ended: the socket is closing, and may take a second for it.
  jonas.readyState = 2;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown().at(-1)).toBe('a: ');
});

test('who looks on another server is gone within two seconds when that ends or is cut off', async () => {
  const { join, shown, events } = startLooking(true);
  join('maya');
  for (let round = 0; round < 5; round += 1) {
    events.publish(elsewhere('a'), 'elsewhere');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(shown()).toEqual(['a: ines']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toEqual(['a: ines', 'a: ']);
  events.publish(elsewhere('a'), 'elsewhere');
  await vi.advanceTimersByTimeAsync(100);
  events.publish(elsewhere(null), 'elsewhere');
  await vi.advanceTimersByTimeAsync(100);
  expect(shown()).toEqual(['a: ines', 'a: ', 'a: ines', 'a: ']);
});

test('other servers are sent who looks here when it changes and each round, and once that nobody does', async () => {
  const { join, published, looking } = startLooking(true);
  const jonas = answers(join('jonas'));
  const sent = () =>
    published.flatMap((event) =>
      event.type === 'server_looking' && event.serverId === 'here' ? [event.looks.map(([id]) => id).join()] : [],
    );
  look(jonas, 'a');
  await vi.advanceTimersByTimeAsync(100);
  expect(sent()).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(sent()).toEqual(['a', 'a', 'a']);
  look(jonas, null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent()).toEqual(['a', 'a', 'a', '']);
  look(jonas, 'b');
  await vi.advanceTimersByTimeAsync(100);
  looking.close();
  expect(sent()).toEqual(['a', 'a', 'a', '', 'b', '']);
  expect(vi.getTimerCount()).toBe(0);
});

test('what happens to an alert while it is being read counts, and a read that failed is made again', async () => {
  const { join, shown, findAccess, events, published } = startLooking();
  const jonas = answers(join('jonas'));
  const maya = join('maya');
  const answer = Promise.withResolvers<Map<string, AlertAccess>>();
  findAccess.mockReturnValueOnce(answer.promise);
  look(jonas, 'a');
  await vi.advanceTimersByTimeAsync(100);
  events.publish({ type: 'alert_accepted', alertId: 'a', ownerId: 'jonas', ownerName: 'Jonas' });
  findAccess.mockRejectedValueOnce(new Error('database away'));
  findAccess.mockImplementation(async () => new Map([['a', { status: 'accepted', ownerId: 'jonas' } as const]]));
  answer.resolve(new Map([['a', PENDING]]));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(shown()).toEqual(['a: jonas']);
  expect(findAccess).toHaveBeenCalledTimes(3);
  expect(published.at(-1)).toMatchObject({ access: { status: 'accepted', ownerId: 'jonas' } });
  look(maya, 'a');
  await vi.advanceTimersByTimeAsync(500);
  expect(shown()).toEqual(['a: jonas']);
});
