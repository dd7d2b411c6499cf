import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { boundedKey } from '#backend/intake/reading/bounded-text.ts';
import { deliveryIdOf } from '#backend/intake/reading/read-delivery.ts';
import type { DeliveryName } from '#backend/intake/write/incoming-delivery.ts';

/** Headers whose key stands for one body: the same key with another body is a mistake of the sender's. */
const IDEMPOTENCY_HEADERS = ['idempotency-key', 'webhook-id', 'svix-id'];

/** A request that may have a name. `ignoresIds`: it is a replay, which is written although it was here before. */
interface Named {
  headers: IncomingHttpHeaders;
  text: string;
  ignoresIds?: boolean;
}

const standsForBody = ({ headers }: Named): boolean => IDEMPOTENCY_HEADERS.some((name) => headers[name] !== undefined);

/** By what one alert of a request is recognized when it comes again; undefined where it has no name. */
export function nameOfEvent({ deliveryId }: SenderEvent, request: Named): DeliveryName | undefined {
  if (deliveryId === null || request.ignoresIds) return undefined;
  // What senders call their own events may come again in other words, such as a count of deliveries.
  return { keyHash: hash('sha256', deliveryId), bodyHash: standsForBody(request) ? hash('sha256', request.text) : '' };
}

/**
 * The key of a request whose several alerts are named by it and by their places. Another body under the same key may have
 * one alert, which the bare key names.
 */
export function nameOfSeveral(events: readonly SenderEvent[], request: Named): DeliveryName | undefined {
  if (events.length < 2 || request.ignoresIds || !standsForBody(request)) return undefined;
  const key = deliveryIdOf(request.headers)?.value;
  if (key === undefined || events[0]?.deliveryId !== boundedKey(`${key}:0`)) return undefined;
  return { keyHash: hash('sha256', boundedKey(key)), bodyHash: hash('sha256', request.text) };
}
