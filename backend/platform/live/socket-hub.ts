import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  CLOSE_SESSION_ENDED,
  CLOSE_SESSION_RENEWED,
  ENDED_BY_ADMINISTRATOR,
  CLOSE_TOO_SLOW,
  LIVE_PING,
} from '#backend/contract/live-event.ts';
import { type JsonText, jsonArray } from '#backend/platform/endpoint/json-text.ts';
import { type DropReason, type LiveObserver, UNOBSERVED } from '#backend/platform/metrics/observers.ts';
import type { Tracing } from '#backend/platform/tracing/tracing.ts';
import type { Audience, DomainEvent, EventBus } from './event-bus.ts';
import { type ReportingClient, createLatencyReports } from './latency-reports.ts';
import { createFanOut } from './fan-out.ts';
import { createFollowedPlace } from './followed-place.ts';
import { eventText, type Delivery, type PendingEvent, type Recipient } from './live-frames.ts';
import { textFrame } from './text-frame.ts';

/** A client with so many bytes not yet taken is dropped; it connects again and asks for what it missed. */
export const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * What all clients together may leave untaken, in bytes. Beyond it those are dropped that leave more than their part of it:
 * of hundreds that do not read, each may be within its own bound.
 */
export const MAX_BUFFERED_OF_ALL = 64 * 1024 * 1024;

/** How often clients are asked whether they are there; one that missed a whole round is dropped. */
export const PING_INTERVAL_MS = 30_000;

/**
 * Frames that a client may send in a second, pings and pongs included: ours sends a pong every half minute. Counted from
 * the first frame of a second by the server's clock alone.
 */
const MAX_FRAMES_PER_SECOND = 20;

/** How long a dropped client has to take the close frame before its connection is cut. */
const CLOSE_GRACE_MS = 1_000;

/** The answers to a client's own ping, one event a frame and batched. */
const PONG = textFrame('{"type":"pong"}');
const BATCHED_PONG = textFrame('[{"type":"pong"}]');

/** Close code and reason of a server that stops. */
const STOPPING = [1001, 'server stopping'] as const;

/** Closes a connection, and cuts it when the other end does not answer. */
function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSE_GRACE_MS).unref();
}

interface Client extends ReportingClient, Recipient {
  socket: WebSocket;
  /** What the socket writes to. */
  connection: Connection;
  isAlive: boolean;
  /** Frames that came since `countedFrom`, a moment of `performance.now()`. */
  received: number;
  countedFrom: number;
}

/** The connection below a WebSocket that does not compress: frames are written to it as they are. */
export type Connection = Pick<Writable, 'write'>;

/** The live clients. */
export interface SocketHub {
  /** Takes in a client whose session was checked at the upgrade, and greets it. With `isPlaced` it is sent its place, too. */
  add(socket: WebSocket, connection: Connection, recipient: Recipient, hello: JsonText): void;
  /** Greets every client once more, after what was published before. */
  greetAgain(hello: JsonText): void;
  /** Whether a client of this session listens. */
  isListening(sessionId: string): boolean;
  /** Sessions of which a client listens, with their members' ids. */
  listening(): [sessionId: string, userId: string][];
  /** Ids of the members of whom a client listens. */
  onlineMembers(): ReadonlySet<string>;
  /** How many clients listen. */
  readonly size: number;
  /** Bytes sent to them that they have not taken yet. */
  bufferedBytes(): number;
  /** Closes every client with 1001, server stopping, and ends the subscription. */
  close(): void;
}

/** What the hub is made of. */
export interface SocketHubDeps {
  events: EventBus;
  audience: Audience;
  /**
   * Of session ids, those that have not ended. Asked with each heartbeat, because a session may also end in another process
   * (the command line) or by its age.
   */
  filterActive: (sessionIds: string[]) => Promise<Set<string>>;
  /** The place in the feed up to which everything was published. */
  place: () => string;
  /** What pages are to receive before an event, decided when it is sent and not while it is published. */
  eventsBefore?: (event: DomainEvent) => readonly DomainEvent[];
  observer?: LiveObserver;
  tracing?: Tracing;
}

/** Sends the bus's events to the clients that may receive them, a frame per window, which is made once. */
export function createSocketHub({
  events,
  audience,
  filterActive,
  place,
  eventsBefore = () => [],
  observer = UNOBSERVED.live,
  tracing,
}: SocketHubDeps): SocketHub {
  const clients = new Set<Client>();
  let isChecking = false;
  let isClosed = false;
  const latency = createLatencyReports(observer);

  const publishListening = ({ actor }: Client, isListening: boolean) => {
    for (const { actor: other } of clients) if (other.sessionId === actor.sessionId) return;
    events.publish({ type: 'session_listening', sessionId: actor.sessionId, userId: actor.id, isListening });
  };
  /** Returns whether it was there. */
  const remove = (client: Client): boolean => {
    if (!clients.delete(client)) return false;
    publishListening(client, false);
    return true;
  };

  const drop = (client: Client, code: number, reason: string, observed?: DropReason) => {
    if (!remove(client)) return;
    if (observed) observer.dropped(observed);
    closeSocket(client.socket, code, reason);
  };

  const countFrame = (client: Client) => {
    const now = performance.now();
    if (now - client.countedFrom >= 1000) Object.assign(client, { received: 0, countedFrom: now });
    client.received += 1;
    if (client.received <= MAX_FRAMES_PER_SECOND) return;
    // What it has sent already is not read either.
    client.socket.pause();
    drop(client, CLOSE_TOO_SLOW, 'too many messages', 'too_talkative');
  };

  const send = (client: Client, { frames, events: count }: Delivery) => {
    if (client.socket.bufferedAmount > MAX_BUFFERED_BYTES) {
      drop(client, CLOSE_TOO_SLOW, 'too slow', 'too_slow');
      return;
    }
    // It says that it leaves, and its connection is about to end.
    if (client.socket.readyState !== client.socket.OPEN) return;
    for (const frame of frames) client.connection.write(frame);
    observer.sent(count);
  };

  const bufferedBytes = (): number => {
    let sum = 0;
    for (const { socket } of clients) sum += socket.bufferedAmount;
    return sum;
  };
  const dropFullest = () => {
    if (clients.size * MAX_BUFFERED_BYTES <= MAX_BUFFERED_OF_ALL || bufferedBytes() <= MAX_BUFFERED_OF_ALL) return;
    const part = MAX_BUFFERED_OF_ALL / clients.size;
    for (const client of clients) {
      if (client.socket.bufferedAmount > part) drop(client, CLOSE_TOO_SLOW, 'too slow', 'too_slow');
    }
  };

  const withEventsBefore = (one: PendingEvent): PendingEvent[] => {
    const before = typeof one.event === 'string' ? [] : eventsBefore(one.event);
    if (before.length === 0) return [one];
    return [...before.map((event) => ({ event, origin: one.origin, text: eventText(event) ?? one.text })), one];
  };

  const fanOut = createFanOut({
    clients,
    audience,
    windowOf(pending) {
      const nextPlace = followed.next();
      return [...pending.flatMap(withEventsBefore), ...(nextPlace ? [nextPlace] : [])];
    },
    begin: dropFullest,
    send,
    sent(window, at) {
      if (clients.size > 0) latency.sent(window, at);
    },
    tracing,
  });
  const followed = createFollowedPlace(place, fanOut.flush);

  const unsubscribe = events.subscribe((event, origin) => {
    if (event.type === 'session_ended') {
      const [code, reason] = event.isRenewed
        ? [CLOSE_SESSION_RENEWED, 'session renewed']
        : [CLOSE_SESSION_ENDED, event.isByAdministrator ? ENDED_BY_ADMINISTRATOR : 'session ended'];
      for (const client of clients) {
        if (client.actor.sessionId === event.sessionId) drop(client, code, reason, 'session_ended');
      }
      return;
    }
    if (event.type === 'resync') {
      followed.pause();
      checkSessions();
    }
    if (clients.size === 0) return;
    const text = eventText(event);
    if (text === undefined) return;
    followed.moved();
    fanOut.enqueue({ event, origin, text });
  });

  const dropEnded = async () => {
    // Those who join while the database answers are checked in the next round.
    const asked = [...clients];
    const good = await filterActive([...new Set(asked.map(({ actor }) => actor.sessionId))]);
    for (const client of asked) {
      if (!good.has(client.actor.sessionId)) drop(client, CLOSE_SESSION_ENDED, 'session ended', 'session_ended');
    }
  };

  // When the database cannot be asked, nobody is dropped: the next round asks again, unless it hangs.
  const checkSessions = () => {
    if (clients.size === 0 || isChecking) return;
    isChecking = true;
    dropEnded()
      .catch(() => undefined)
      .finally(() => (isChecking = false));
  };

  const heartbeat = setInterval(() => {
    checkSessions();
    for (const client of clients) {
      if (!client.isAlive) {
        remove(client);
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
    add(socket, connection, recipient, hello) {
      // It was closed while its greeting was made: nothing would ever say again that it is gone.
      if (socket.readyState !== socket.OPEN) return;
      // As those that had been greeted: the server waits for all connections before it stops.
      if (isClosed) return closeSocket(socket, ...STOPPING);
      const client: Client = {
        ...recipient,
        socket,
        connection,
        isAlive: true,
        received: 0,
        countedFrom: performance.now(),
        reportedAt: Number.NEGATIVE_INFINITY,
      };
      publishListening(client, true);
      // Whoever is greeted now has missed nothing.
      if (clients.size === 0) followed.resume();
      clients.add(client);
      for (const frame of ['message', 'ping', 'pong'] as const) socket.on(frame, () => countFrame(client));
      socket.on('message', (data) => {
        if (!clients.has(client)) return;
        const text = String(data);
        if (text === LIVE_PING) send(client, { frames: [recipient.isBatched ? BATCHED_PONG : PONG], events: 0 });
        else latency.receive(client, text, performance.now());
      });
      socket.on('pong', () => (client.isAlive = true));
      socket.on('close', () => remove(client));
      send(client, { frames: [textFrame(recipient.isBatched ? jsonArray([hello]) : hello)], events: 1 });
    },
    greetAgain(hello) {
      followed.resume();
      fanOut.enqueue({ event: 'greeting', origin: 'here', text: hello });
    },
    isListening: (sessionId) => [...clients].some(({ actor }) => actor.sessionId === sessionId),
    listening: () => [...new Map([...clients].map(({ actor }) => [actor.sessionId, actor.id]))],
    onlineMembers: () => new Set([...clients].map(({ actor }) => actor.id)),
    get size() {
      return clients.size;
    },
    bufferedBytes,
    close() {
      isClosed = true;
      unsubscribe();
      clearInterval(heartbeat);
      fanOut.finish();
      followed.stop();
      for (const client of clients) drop(client, ...STOPPING);
    },
  };
}
