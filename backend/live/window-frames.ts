import type { Actor } from '#backend/endpoint/endpoint.ts';
import { type JsonText, jsonArray } from '#backend/endpoint/json-text.ts';
import { hears, isForEverybody } from './audience.ts';
import type { DomainEvent } from './event-bus.ts';

/** An event that is to be sent, with its JSON. */
export interface PendingEvent {
  event: DomainEvent;
  text: JsonText;
}

/** What a client is sent at once. */
export interface Delivery {
  frames: readonly Buffer[];
  events: number;
}

/**
 * Joined frames that are made of one window at most: one for each audience, in the order in which they are met. Further
 * audiences get a frame per event, which all share, so that memory is bounded by the window, whoever may hear what.
 */
const MAX_JOINED_FRAMES = 8;

/**
 * The frames of one window. Clients that may hear exactly the same events share the same buffers: with 800 clients and
 * an event of 1 MiB, a buffer each takes 800 MB.
 */
export function createWindowFrames(window: readonly PendingEvent[]): (actor: Actor, isBatched: boolean) => Delivery {
  // Most windows hold nothing but what everybody may hear, and then nobody is asked.
  const restricted = window.filter(({ event }) => !isForEverybody(event));
  const plain = new Map<PendingEvent, Buffer>();
  const alone = new Map<PendingEvent, Buffer>();
  const deliveries = new Map<string, Delivery>();
  let joined = 0;

  const shared = (made: Map<PendingEvent, Buffer>, pending: PendingEvent, textOf: (text: JsonText) => JsonText) => {
    const known = made.get(pending);
    if (known) return known;
    const buffer = Buffer.from(textOf(pending.text));
    made.set(pending, buffer);
    return buffer;
  };
  const framesOf = (heard: readonly PendingEvent[], isBatched: boolean): Buffer[] => {
    if (!isBatched) return heard.map((pending) => shared(plain, pending, (text) => text));
    if (heard.length > 1 && joined < MAX_JOINED_FRAMES) {
      joined += 1;
      return [Buffer.from(jsonArray(heard.map(({ text }) => text)))];
    }
    return heard.map((pending) => shared(alone, pending, (text) => jsonArray([text])));
  };

  return (actor, isBatched) => {
    const isHeard = restricted.map(({ event }) => hears(actor, event));
    const key = `${isBatched}${isHeard.map(Number).join('')}`;
    const known = deliveries.get(key);
    if (known) return known;
    const unheard = new Set(restricted.filter((_, index) => !isHeard[index]));
    const heard = window.filter((pending) => !unheard.has(pending));
    const delivery = { frames: framesOf(heard, isBatched), events: heard.length };
    deliveries.set(key, delivery);
    return delivery;
  };
}
