import { AsyncResource } from 'node:async_hooks';
import { NO_TRACING, type Span, type Tracing } from '#backend/platform/tracing/tracing.ts';
import type { Audience } from './event-bus.ts';
import { type Delivery, type PendingEvent, type Recipient, createWindowFrames } from './live-frames.ts';

/**
 * So many milliseconds lie between two frames, and the events between share the second: a frame per alert leaves a
 * tenth of the ingest rate. What comes after a quiet time leaves at once.
 */
const WINDOW_MS = 10;

/**
 * In a storm the pause is this many times what it took to send the last frame to everybody, and at most this many
 * milliseconds: a frame that takes up to 50 ms leaves two thirds of the event loop to requests.
 */
const STORM_PAUSE = 2;
const MAX_STORM_PAUSE_MS = 100;

/** A frame of more events than this is of a storm: with 10 ms to send it and 10 ms of pause, of over 200 events a second. */
const STORM_EVENTS = 4;

/** How long one turn of the event loop sends, in milliseconds; the next turn goes on. A thousand clients take 10 to 40. */
const TURN_MS = 5;

/** The clock is read after so many clients. */
const CLIENTS_PER_CHECK = 16;

/** What sending is made of. */
interface FanOutDeps<Client extends Recipient> {
  /** Who is connected. A client that leaves between two turns is sent nothing more. */
  clients: ReadonlySet<Client>;
  audience: Audience;
  /** Decides what is sent of that which is pending. Called when it is sent. */
  windowOf: (pending: readonly PendingEvent[]) => PendingEvent[];
  /** Called before a window is sent. */
  begin: () => void;
  send: (client: Client, delivery: Delivery) => void;
  /** Every client was sent a window, at a moment of `performance.now()`. */
  sent: (window: readonly PendingEvent[], at: number) => void;
  tracing?: Tracing | undefined;
}

/** Sends events to all clients. */
export interface FanOut {
  /** Sends it with what else happens within the window. */
  enqueue(one: PendingEvent): void;
  /** Sends what is pending now, or once the window before it was sent to everybody. */
  flush(): void;
  /** Sends everything that is pending before it returns. */
  finish(): void;
}

/** A window on its way to the clients that were connected when it began. */
interface Sending<Client> {
  window: readonly PendingEvent[];
  to: readonly Client[];
  /** How many of them had their turn. */
  done: number;
  framesFor: (client: Client) => Delivery;
  /** How long it has taken so far, without what ran between the turns, in milliseconds. */
  tookMs: number;
  span: Span | undefined;
}

/**
 * Sends windows of events, one after the other, a slice of the clients in each turn of the event loop: each client
 * receives them in order, and nobody else waits for the last of a thousand.
 */
export function createFanOut<Client extends Recipient>({
  clients,
  audience,
  windowOf,
  begin,
  send,
  sent,
  tracing = NO_TRACING,
}: FanOutDeps<Client>): FanOut {
  let pending: PendingEvent[] = [];
  let sending: Sending<Client> | undefined;
  let nextTurn: NodeJS.Immediate | undefined;
  let cancel: (() => void) | undefined;
  let quietUntil = 0;
  /** The flush that waits for the window before it. It belongs to the trace of what is pending. */
  let due: (() => void) | undefined;

  const schedule = (): void => {
    if (cancel ?? due) return;
    if (sending) due = AsyncResource.bind(flush);
    else flushAt(quietUntil, flush);
  };
  const flushAt = (moment: number, work: () => void): void => {
    const wait = moment - performance.now();
    // A timer takes a millisecond at least.
    if (wait <= 0) {
      const immediate = setImmediate(work);
      cancel = () => clearImmediate(immediate);
    } else {
      const timer = setTimeout(work, wait);
      cancel = () => clearTimeout(timer);
    }
  };

  const sendTurn = (current: Sending<Client>, isLast: boolean): void => {
    const startedAt = performance.now();
    const until = isLast ? Number.POSITIVE_INFINITY : startedAt + TURN_MS;
    while (current.done < current.to.length) {
      if (current.done % CLIENTS_PER_CHECK === 0 && performance.now() > until) break;
      const client = current.to[current.done] as Client;
      current.done += 1;
      if (!clients.has(client)) continue;
      const delivery = current.framesFor(client);
      if (delivery.events > 0) send(client, delivery);
    }
    const now = performance.now();
    current.tookMs += now - startedAt;
    if (current.done === current.to.length) end(current, now);
    else nextTurn = setImmediate(sendTurn, current, false);
  };

  const end = ({ window, span, tookMs }: Sending<Client>, now: number): void => {
    span?.end();
    sending = undefined;
    nextTurn = undefined;
    sent(window, now);
    const isStorm = window.length > STORM_EVENTS;
    // From the end: what it takes to send to everybody is not taken from the time in between.
    quietUntil = now + (isStorm ? Math.min(Math.max(WINDOW_MS, STORM_PAUSE * tookMs), MAX_STORM_PAUSE_MS) : WINDOW_MS);
    if (due) flushAt(quietUntil, due);
    due = undefined;
  };

  const start = (isLast: boolean): void => {
    cancel?.();
    cancel = undefined;
    // What is published while the window is made belongs to the next one.
    const taken = pending;
    pending = [];
    const window = windowOf(taken);
    // Flushing is scheduled by the first event's work.
    const span = tracing.begin('live broadcast', {
      'alertdesk.events': window.length,
      'alertdesk.clients': clients.size,
    });
    begin();
    sending = { window, to: [...clients], done: 0, framesFor: createWindowFrames(window, audience), tookMs: 0, span };
    sendTurn(sending, isLast);
  };

  function flush(): void {
    cancel?.();
    cancel = undefined;
    if (sending) schedule();
    else start(false);
  }

  return {
    enqueue(one) {
      pending.push(one);
      schedule();
    },
    flush,
    finish() {
      clearImmediate(nextTurn);
      if (sending) sendTurn(sending, true);
      start(true);
    },
  };
}
