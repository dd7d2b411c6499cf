import { setTimeout as wait } from 'node:timers/promises';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { type ClusterMessage, encodeMessage } from './cluster-message.ts';
import { sizeOf } from './event-schema.ts';

/** Events of so many milliseconds go out in one message; the first after a quiet time at once. */
export const WINDOW_MS = 5;

/** One message holds at most so many events, and about so many characters. */
const MESSAGE_EVENTS = 500;
const MESSAGE_SIZE = 1024 * 1024;

/** What may wait, in events and in characters. Beyond it everything that waits is let go, and others read the feed. */
const MAX_EVENTS = 5_000;
const MAX_SIZE = 8 * 1024 * 1024;

/** Events that go in one message. */
interface Group {
  number: number;
  events: readonly DomainEvent[];
  size: number;
}

/** Sends what happens here to the other servers, one message after the other. */
export interface Outbox {
  /** Queues events that go together. Nobody waits for them. @param number of the feed's row that they are; 0 for none */
  add(events: readonly DomainEvent[], number: number): void;
  /** Counts a row of the feed that is not sent: others notice, and read it. */
  skip(): void;
  /** Sends a message without events once what is queued has gone. */
  beat(more?: Pick<ClusterMessage, 'listening' | 'asks' | 'isCutOff' | 'leaves' | 'at'>): void;
  /** Sends what is queued, and then nothing more. */
  stop(): Promise<void>;
}

/**
 * @param send resolves when the message was taken or given up. Never rejects.
 * @param pauseMs how long it rests between two messages; default: a window.
 */
export function createOutbox(
  { server, writer }: { server: string; writer: number },
  send: (message: string, events: number) => Promise<void>,
  pauseMs: () => number = () => WINDOW_MS,
): Outbox {
  let queue: Group[] = [];
  let waiting = 0;
  let size = 0;
  let seq = 0;
  let heartbeat: Parameters<Outbox['beat']>[0];
  let isSending = false;
  let isStopped = false;
  let sending: Promise<void> = Promise.resolve();

  /** The next groups, each whole, of about as many events and characters as one message has. */
  const takeBatch = (): Group[] => {
    let taken = 0;
    let batchEvents = 0;
    let batchSize = 0;
    for (const group of queue) {
      batchEvents += group.events.length;
      batchSize += group.size;
      if (taken > 0 && (batchEvents > MESSAGE_EVENTS || batchSize > MESSAGE_SIZE)) break;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    forget(batch);
    return batch;
  };
  const forget = (groups: readonly Group[]): void => {
    for (const group of groups) {
      waiting -= group.events.length;
      size -= group.size;
    }
  };

  const run = async (): Promise<void> => {
    isSending = true;
    // What happens in the same turn of the event loop goes together.
    await Promise.resolve();
    while (queue.length > 0 || heartbeat) {
      const groups = takeBatch();
      const events = groups.flatMap((group) => group.events);
      if (groups.length > 0) seq += 1;
      const more = queue.length === 0 ? heartbeat : undefined;
      if (more) heartbeat = undefined;
      const rows = groups.map((group) => [group.number, group.events.length] as const);
      await send(encodeMessage({ server, seq, writer, events, rows, ...more }), events.length);
      if (!isStopped) await wait(pauseMs(), undefined, { ref: false });
    }
    isSending = false;
  };
  const start = (): void => {
    if (!isSending) sending = run();
  };

  return {
    add(events, number) {
      if (isStopped) return;
      if (waiting >= MAX_EVENTS || size >= MAX_SIZE) {
        // A number without a message is what others notice.
        seq += 1;
        forget(queue);
        queue = [];
      }
      const group = { number, events, size: events.reduce((sum, event) => sum + sizeOf(event), 0) };
      queue.push(group);
      waiting += events.length;
      size += group.size;
      start();
    },
    skip() {
      seq += 1;
    },
    beat(more = {}) {
      if (isStopped) return;
      heartbeat = { ...heartbeat, ...more };
      start();
    },
    async stop() {
      isStopped = true;
      await sending;
    },
  };
}
