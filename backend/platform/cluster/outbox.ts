import { setTimeout as wait } from 'node:timers/promises';
import type { DomainEvent } from '#backend/platform/live/event-bus.ts';
import { type ClusterMessage, encodeMessage } from './cluster-message.ts';
import { sizeOf } from './event-schema.ts';

/** Events of so many milliseconds go out in one message; the first after a quiet time at once. */
export const WINDOW_MS = 5;

/** One message holds at most so many events, and about so many characters. */
const MESSAGE_EVENTS = 500;
const MESSAGE_SIZE = 1024 * 1024;

/** What may wait, in events and in characters. Beyond it everything that waits is let go, and others fetch again. */
const MAX_EVENTS = 5_000;
const MAX_SIZE = 8 * 1024 * 1024;

/** Sends what happens here to the other servers, one message after the other. */
export interface Outbox {
  /** Queues an event. Nobody waits for it. */
  add(event: DomainEvent): void;
  /** Counts an event that nobody is there for: who comes later notices that something was before. */
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
  server: string,
  send: (message: string, events: number) => Promise<void>,
  pauseMs: () => number = () => WINDOW_MS,
): Outbox {
  let queue: DomainEvent[] = [];
  let size = 0;
  let seq = 0;
  let heartbeat: Parameters<Outbox['beat']>[0];
  let isSending = false;
  let isStopped = false;
  let sending: Promise<void> = Promise.resolve();

  const takeBatch = (): DomainEvent[] => {
    let taken = 0;
    for (let taking = 0; taken < queue.length && taken < MESSAGE_EVENTS; taken += 1) {
      const next = queue[taken];
      taking += next ? sizeOf(next) : 0;
      if (taken > 0 && taking > MESSAGE_SIZE) break;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    size -= batch.reduce((sum, event) => sum + sizeOf(event), 0);
    return batch;
  };

  const run = async (): Promise<void> => {
    isSending = true;
    // What happens in the same turn of the event loop goes together.
    await Promise.resolve();
    while (queue.length > 0 || heartbeat) {
      const events = takeBatch();
      if (events.length > 0) seq += 1;
      const more = queue.length === 0 ? heartbeat : undefined;
      if (more) heartbeat = undefined;
      await send(encodeMessage({ server, seq, events, ...more }), events.length);
      if (!isStopped) await wait(pauseMs(), undefined, { ref: false });
    }
    isSending = false;
  };
  const start = (): void => {
    if (!isSending) sending = run();
  };

  return {
    add(event) {
      if (isStopped) return;
      if (queue.length >= MAX_EVENTS || size >= MAX_SIZE) {
        // A number without a message is what others notice.
        seq += 1;
        queue = [];
        size = 0;
      }
      queue.push(event);
      size += sizeOf(event);
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
