import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { Socket, joinHub, member } from '#tests/support/hub-socket.ts';
import { type EventBus, createEventBus } from './event-bus.ts';
import { PLACE_EVERY_MS } from './followed-place.ts';
import { type SocketHub, createSocketHub } from './socket-hub.ts';

const everybody = async (ids: string[]) => new Set(ids);

let events: EventBus;
let hub: SocketHub;
/** Where the feed is. */
let position = 0;
beforeEach(() => {
  vi.useFakeTimers();
  position = 0;
  events = createEventBus((error) => expect.unreachable(String(error)));
  hub = createSocketHub({ events, audience: AUDIENCE, filterActive: everybody, place: () => `place ${position}` });
});
afterEach(() => {
  hub.close();
  vi.useRealTimers();
});

function join(id: string, isPlaced: boolean): Socket {
  const socket = new Socket();
  joinHub(hub, socket, { actor: member(id), isPlaced });
  return socket;
}
const eventsOf = ({ sent }: Socket) => sent.slice(1).flatMap((frame) => JSON.parse(frame) as LiveEvent[]);
const placesOf = (socket: Socket) => eventsOf(socket).flatMap((event) => (event.type === 'place' ? [event.place] : []));
const deleteAlert = (id: string) => events.publish({ type: 'alert_deleted', alertId: id });

test('who follows the feed is sent its place with what happened, and once a second at most after that; no other client is', () => {
  const [following, other] = [join('a', true), join('b', false)];
  position = 1;
  deleteAlert('first');
  vi.advanceTimersByTime(20);
  for (position = 2; position < 9; position += 1) {
    deleteAlert(`more ${position}`);
    vi.advanceTimersByTime(20);
  }
  expect(placesOf(following)).toEqual(['place 1']);
  vi.advanceTimersByTime(PLACE_EVERY_MS);
  expect([placesOf(following), placesOf(other)]).toEqual([['place 1', 'place 9'], []]);
  const frames = following.sent.length;
  vi.advanceTimersByTime(10 * PLACE_EVERY_MS);
  expect(following.sent).toHaveLength(frames);
});

test('nobody is moved on over what was left out before everybody is greeted', () => {
  const socket = join('a', true);
  events.publish({ type: 'resync' });
  deleteAlert('later');
  vi.advanceTimersByTime(2 * PLACE_EVERY_MS);
  expect(placesOf(socket)).toEqual([]);
  hub.greetAgain(jsonText('{"type":"hello"}'));
  vi.advanceTimersByTime(2 * PLACE_EVERY_MS);
  expect(eventsOf(socket).map(({ type }) => type)).toEqual(['alert_deleted', 'hello', 'place']);
});

test('a greeting that is due when nobody is there holds nobody up who comes later', () => {
  const first = join('a', true);
  events.publish({ type: 'resync' });
  first.emit('close');
  const later = join('b', true);
  deleteAlert('x');
  vi.advanceTimersByTime(20);
  expect(placesOf(later)).toEqual(['place 0']);
});
