import type { Headers } from '#backend/intake/json/found.ts';
import { deliveryIdOf } from '#backend/intake/reading/read-delivery.ts';
import { idOfText, newId } from '#backend/platform/database/ids.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';

/** What PagerDuty's Events API v2 takes: https://developer.pagerduty.com/docs/events-api-v2-overview */
const ACTIONS = ['trigger', 'acknowledge', 'resolve'];
const SEVERITIES = ['critical', 'error', 'warning', 'info'];

/** A posted event, as far as it is looked at here. */
export interface PostedEvent {
  routingKey: string | undefined;
  /** Names the problem: the sender's, or one that is made for an event without. */
  dedupKey: string;
  /** The body's text; with the made key, where it had none. */
  text: string;
  /** What is wrong with it, in PagerDuty's words; empty for an event that is taken. */
  errors: string[];
}

/** Reads what is posted to `/v2/enqueue`: the key that is in it, and whether PagerDuty would take it. */
export function readPostedEvent(text: string, headers: Headers): PostedEvent {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { routingKey: undefined, dedupKey: '', text, errors: ['Invalid JSON'] };
  }
  if (!isObject(body)) return { routingKey: undefined, dedupKey: '', text, errors: ['Event is not an object'] };
  const { routing_key: routingKey, event_action: action, dedup_key: dedupKey, payload } = body;
  const errors: string[] = [];
  if (!ACTIONS.includes(action as string)) errors.push(`'event_action' must be one of ${ACTIONS.join(', ')}`);
  const isKeyMissing = dedupKey === undefined || dedupKey === null || dedupKey === '';
  if (!isKeyMissing && typeof dedupKey !== 'string') errors.push("'dedup_key' is not a string");
  if (action === 'trigger') errors.push(...errorsOfPayload(payload));
  else if (isKeyMissing) errors.push("'dedup_key' is missing or blank");
  const made = isKeyMissing ? nameOfProblem(headers, JSON.stringify(payload)) : '';
  return {
    routingKey: typeof routingKey === 'string' ? routingKey : undefined,
    dedupKey: typeof dedupKey === 'string' && dedupKey !== '' ? dedupKey : made,
    // A problem whose sender did not name it can be resolved by the name that it is answered.
    text: isKeyMissing && errors.length === 0 ? withMember(text, 'dedup_key', made) : text,
    errors,
  };
}

function errorsOfPayload(payload: unknown): string[] {
  if (!isObject(payload)) return ["'payload' is missing or blank"];
  const errors = ['summary', 'source']
    .filter((name) => typeof payload[name] !== 'string' || payload[name] === '')
    .map((name) => `'payload.${name}' is missing or blank`);
  const { severity } = payload;
  if (severity === undefined || severity === null || severity === '') {
    errors.push("'payload.severity' is missing or blank");
  } else if (!SEVERITIES.includes(severity as string)) {
    errors.push(`'payload.severity' is invalid (must be one of the following: ${SEVERITIES.join(', ')})`);
  }
  return errors;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names a problem whose sender does not. A delivery that names itself has the same problem when it comes again. */
export function nameOfProblem(headers: Headers, said: string): string {
  const deliveryId = deliveryIdOf(headers);
  return deliveryId ? idOfText(`${deliveryId.value} ${said}`) : newId();
}

/** The text of an object with one more member at its end, which counts more than one of the same name before it. */
export function withMember(text: string, name: string, value: string): string {
  const end = text.lastIndexOf('}');
  return `${text.slice(0, end).trimEnd()},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
}

/** 202 as PagerDuty answers it. */
export const eventProcessed = (dedupKey: string): IngestAnswer => ({
  status: 202,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ status: 'success', message: 'Event processed', dedup_key: dedupKey }),
});

/** 400 as PagerDuty answers it. */
export const invalidEvent = (errors: readonly string[]): IngestAnswer => ({
  status: 400,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ status: 'invalid event', message: 'Event object is invalid', errors }),
});
