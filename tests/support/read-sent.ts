import type { ReadDelivery, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';

/** What a sender's request of this body and these headers is read as. */
export function readSent(body: unknown, headers: Record<string, string> = {}): ReadDelivery {
  const contentType = 'application/json';
  const reading = readDelivery({ headers, body: JSON.stringify(body), contentType, receivedAt: 0 });
  if ('error' in reading) throw reading.error;
  return reading;
}

/** The one alert of such a request. */
export function eventOf(body: unknown, headers: Record<string, string> = {}): SenderEvent {
  const [event, ...others] = readSent(body, headers).events;
  if (!event || others.length > 0) throw new Error(`The request has ${others.length + (event ? 1 : 0)} alerts`);
  return event;
}
