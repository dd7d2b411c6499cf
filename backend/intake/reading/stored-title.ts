import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { readAny } from '#backend/intake/adapters/generic.ts';
import { readJson } from '#backend/intake/json/json-value.ts';
import { titleLine } from './bounded-text.ts';
import { readDelivery } from './read-delivery.ts';

/**
 * The title that an alert with this payload gets today: by its sender's adapter where the payload is a whole request, else by
 * what its fields are called.
 *
 * @returns null where nothing names what happened
 */
export function titleOfPayload(payload: string): string | null {
  const request = { headers: {}, body: payload, contentType: 'application/json', receivedAt: 0 };
  const reading = readDelivery(request);
  if ('error' in reading) return null;
  const [event] = reading.events;
  // Of several alerts none names the whole; what is no alert by its adapter has a title all the same.
  if (reading.events.length === 1 && event && reading.problem === null) return event.title;
  const value = readJson(payload, WEBHOOK_MAX_DEPTH);
  const title = typeof value === 'string' ? undefined : readAny(value).title;
  return title === undefined ? null : (titleLine(title.value) ?? null);
}
