import type { WebSocket } from 'ws';
import { CLOSE_SESSION_ENDED, CLOSE_TOO_SLOW } from '#backend/contract/live-event.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { type JsonText, jsonArray } from '#backend/endpoint/json-text.ts';
import { type DropReason, type LiveObserver, UNOBSERVED } from '#backend/metrics/observers.ts';
import { hears, isForEverybody } from './audience.ts';
import type { DomainEvent, EventBus } from './event-bus.ts';
import { eventText } from './event-text.ts';

/**
 * So many milliseconds lie between two frames, and the events between share the second: a frame per alert leaves a
 * tenth of the ingest rate (quality.md). What comes after a quiet time leaves at once.
 */
const WINDOW_MS = 10;

/** A client with so many bytes not yet taken is dropped; it connects again and refetches. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/** How often clients are asked whether they are there; one that missed a whole round is dropped. */
export const PING_INTERVAL_MS = 30_000;

/** Tabs and devices of one member that may listen at once. */
export const MAX_SOCKETS_PER_MEMBER = 10;

/** What a client may say: nothing needs saying, so more than this is not one of ours. */
const MAX_MESSAGES_PER_SECOND = 20;

/** How long a dropped client has to take the close frame before its connection is cut. */
const CLOSE_GRACE_MS = 1_000;

/** What a client is sent at once. */
interface Delivery {
  frames: Buffer[];
  events: number;
}

interface Client {
  socket: WebSocket;
  actor: Actor;
  isBatched: boolean;
  isAlive: boolean;
  messages: number;
}

/** The live clients. */
export interface SocketHub {
  /** False when the member's tabs and devices hold as many connections as they may. */
  hasRoomFor(memberId: string): boolean;
  /** Takes in a client whose session was checked at the upgrade, and greets it. */
  add(socket: WebSocket, actor: Actor, options: { isBatched: boolean; hello: JsonText }): void;
  /** Whether a client of this session listens. */
  isListening(sessionId: string): boolean;
  /** How many clients listen. */
  readonly size: number;
  /** Bytes sent to them that they have not taken yet. */
  bufferedBytes(): number;
  /** Tells every client that the server goes away (1001) and stops listening to the bus. */
  close(): void;
}

/**
 * Sends the bus's events to the clients that may hear them, a frame per window, serialised once.
 *
 * @param stillGood of session ids, those that have not ended. Asked with each heartbeat, because a session may also end
 * in another process (the command line) or by its age.
 */
export function createSocketHub(
  events: EventBus,
  stillGood: (sessionIds: string[]) => Promise<Set<string>>,
  observer: LiveObserver = UNOBSERVED.live,
): SocketHub {
  const clients = new Set<Client>();
  let pending: { event: DomainEvent; text: JsonText }[] = [];
  let timer: NodeJS.Timeout | undefined;
  let quietUntil = 0;

  const drop = (client: Client, code: number, reason: string, observed?: DropReason) => {
    if (!clients.delete(client)) return;
    if (observed) observer.dropped(observed);
    client.socket.close(code, reason);
    setTimeout(() => client.socket.terminate(), CLOSE_GRACE_MS).unref();
  };

  const send = (client: Client, { frames, events: count }: Delivery) => {
    if (client.socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      drop(client, CLOSE_TOO_SLOW, 'too slow', 'too_slow');
      return;
    }
    for (const frame of frames) client.socket.send(frame, { binary: false });
    observer.sent(count);
  };

  const flush = () => {
    timer = undefined;
    const window = pending;
    pending = [];
    const isSame = window.every(({ event }) => isForEverybody(event));
    // Frames by form and, only when somebody may hear what others may not, by member.
    const made = new Map<string, Delivery>();
    for (const client of clients) {
      const key = `${client.isBatched}${isSame ? '' : client.actor.id}`;
      let delivery = made.get(key);
      if (!delivery) {
        const texts = window.filter(({ event }) => hears(client.actor, event)).map(({ text }) => text);
        delivery = toDelivery(texts, client.isBatched);
        made.set(key, delivery);
      }
      send(client, delivery);
    }
    // From the end: what it takes to send to everybody is not taken from the time in between.
    quietUntil = performance.now() + WINDOW_MS;
  };

  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'session_ended') {
      for (const client of clients) {
        if (client.actor.sessionId === event.sessionId)
          drop(client, CLOSE_SESSION_ENDED, 'session ended', 'session_ended');
      }
      return;
    }
    if (clients.size === 0) return;
    const text = eventText(event);
    if (text === undefined) return;
    pending.push({ event, text });
    timer ??= setTimeout(flush, Math.max(0, quietUntil - performance.now()));
  });

  const dropEnded = async () => {
    const good = await stillGood([...new Set([...clients].map(({ actor }) => actor.sessionId))]);
    for (const client of clients) {
      if (!good.has(client.actor.sessionId)) drop(client, CLOSE_SESSION_ENDED, 'session ended', 'session_ended');
    }
  };

  const heartbeat = setInterval(() => {
    // When the database cannot be asked, nobody is thrown out: the next round asks again.
    if (clients.size > 0) dropEnded().catch(() => undefined);
    for (const client of clients) {
      if (!client.isAlive) {
        clients.delete(client);
        observer.dropped('no_heartbeat');
        client.socket.terminate();
        continue;
      }
      client.isAlive = false;
      client.socket.ping();
    }
  }, PING_INTERVAL_MS);
  heartbeat.unref();

  return {
    hasRoomFor: (memberId) => [...clients].filter(({ actor }) => actor.id === memberId).length < MAX_SOCKETS_PER_MEMBER,
    add(socket, actor, { isBatched, hello }) {
      const client: Client = { socket, actor, isBatched, isAlive: true, messages: 0 };
      clients.add(client);
      socket.on('pong', () => {
        client.isAlive = true;
        client.messages = 0;
      });
      socket.on('message', () => {
        client.messages += 1;
        if (client.messages > MAX_MESSAGES_PER_SECOND * (PING_INTERVAL_MS / 1000)) {
          drop(client, CLOSE_TOO_SLOW, 'too many messages', 'too_talkative');
        }
      });
      socket.on('close', () => clients.delete(client));
      send(client, toDelivery([hello], isBatched));
    },
    isListening: (sessionId) => [...clients].some(({ actor }) => actor.sessionId === sessionId),
    get size() {
      return clients.size;
    },
    bufferedBytes: () => [...clients].reduce((sum, { socket }) => sum + socket.bufferedAmount, 0),
    close() {
      unsubscribe();
      clearInterval(heartbeat);
      clearTimeout(timer);
      flush();
      for (const client of clients) drop(client, 1001, 'server stopping');
    },
  };
}

function toDelivery(texts: JsonText[], isBatched: boolean): Delivery {
  const frames = isBatched && texts.length > 0 ? [jsonArray(texts)] : texts;
  return { frames: frames.map((text) => Buffer.from(text)), events: texts.length };
}
