import type { AlertState } from '#backend/contract/alert.ts';
import { MAX_EVENTS, type Adapter, type Draft, type Handshake, type Reading } from './adapter.ts';
import {
  type Headers,
  choice,
  choose,
  find,
  findHeader,
  headerOf,
  joinFound,
  linkOf,
  rule,
  timeOf,
} from '#backend/intake/json/found.ts';
import { readBatch } from './generic.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const TITLE = choice('data.message', 'data.title', 'subject', 'type');
const DATA_TITLE = choice('message', 'title');

const EVENT = rule<AlertState>('event', 'a CloudEvent reports what happened');

const VALIDATION = 'Microsoft.EventGrid.SubscriptionValidationEvent';

/** CloudEvents in structured, binary and batch mode, and events in Event Grid's own schema. */
export const cloudevents: Adapter = {
  sender: 'cloudevents',
  read({ headers, body }) {
    const validation = eventGridValidation(body);
    if (validation) return validation;
    if (body.isArray) return { drafts: readBatch(body.items(MAX_EVENTS + 1), isEvent, readStructured) };
    if (headerOf(headers, 'ce-specversion') !== '') return { drafts: [readBinary(headers, body)] };
    return { drafts: isEvent(body) ? [readStructured(body)] : [] };
  },
};

const isEvent = (value: JsonValue): boolean => value.get('specversion') !== undefined || isGridEvent(value);

/** Whether a value is an event in Event Grid's own schema. */
export const isGridEvent = (value: JsonValue): boolean =>
  value.get('eventType') !== undefined && value.get('subject') !== undefined && value.get('data') !== undefined;

function readStructured(element: JsonValue): Draft {
  if (isGridEvent(element)) return readGridEvent(element);
  const source = find(element.get('source'));
  return {
    element,
    title: choose(element, TITLE),
    customer: source,
    alertType: find(element.get('type')),
    state: EVENT,
    deliveryId: joinFound(' ', source, find(element.get('id'))),
    link: linkOf(source),
    at: timeOf(find(element.get('time'))),
  };
}

function readGridEvent(element: JsonValue): Draft {
  const data = element.get('data');
  const type = find(element.get('eventType'));
  return {
    element,
    title: choose(data, DATA_TITLE) ?? joinFound(' · ', type, find(element.get('subject'))),
    customer: find(element.get('topic')) ?? find(element.get('subject')),
    alertType: type,
    state: EVENT,
    deliveryId: find(element.get('id')),
    at: timeOf(find(element.get('eventTime'))),
  };
}

/** In binary mode the body is the data; the attributes are headers, percent-encoded (HTTP binding 3.1.3.2). */
function readBinary(headers: Headers, body: JsonValue): Draft {
  const attribute = (name: string) => {
    const found = findHeader(headers, `ce-${name}`);
    return found && { ...found, value: decoded(found.value) };
  };
  const source = attribute('source');
  return {
    element: body,
    title: choose(body, DATA_TITLE) ?? attribute('subject') ?? attribute('type'),
    customer: source,
    alertType: attribute('type'),
    state: EVENT,
    deliveryId: joinFound(' ', source, attribute('id')),
    link: linkOf(source),
    at: timeOf(attribute('time')),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Event Grid posts a code that the answer repeats. */
function eventGridValidation(body: JsonValue): Reading | undefined {
  const event = body.isArray ? body.items(1)[0] : undefined;
  if (event?.get('eventType')?.string !== VALIDATION) return undefined;
  const code = event.get('data')?.get('validationCode')?.string;
  if (code === undefined) return undefined;
  return {
    drafts: [],
    handshake: {
      kind: 'validation',
      summary: "Event Grid's validation of the address",
      answer: {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ validationResponse: code }),
      },
    },
  };
}

/**
 * The answer to `OPTIONS` by which CloudEvents senders ask for permission (HTTP webhook 4.2); `undefined` when the
 * request is not such a question.
 */
export function answerOptions(headers: Headers): Handshake | undefined {
  const origin = headerOf(headers, 'webhook-request-origin');
  if (origin === '') return undefined;
  const rate = headerOf(headers, 'webhook-request-rate');
  return {
    kind: 'validation',
    summary: `${origin.slice(0, 200)} asked whether it may send events`,
    answer: {
      status: 200,
      headers: {
        Allow: 'POST, PUT, OPTIONS',
        'WebHook-Allowed-Origin': origin,
        ...(rate === '' ? {} : { 'WebHook-Allowed-Rate': '*' }),
      },
      body: '',
    },
  };
}
