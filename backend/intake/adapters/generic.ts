import { MAX_EVENTS, type Adapter, type Delivery, type Draft } from './adapter.ts';
import { find, withValue } from '#backend/intake/json/found.ts';
import { type JsonValue, MAX_MEMBERS } from '#backend/intake/json/json-value.ts';
import { WantedNames } from '#backend/intake/json/wanted-names.ts';
import { plainText } from '#backend/intake/understanding/plain-text.ts';
import { NO_LIFECYCLE, understand } from '#backend/intake/understanding/understand.ts';
import { CUSTOMER_FIELDS } from './specified-fields.ts';

/** Names under which senders of all kinds send a secret that is theirs and the receiver's: StatusCake's `Token`, Honeycomb's `shared_secret`. */
const SECRET_NAMES =
  'token Token secret shared_secret sharedSecret password api_key apiKey apikey access_token auth_token'.split(' ');

/** Any JSON, and the envelope of Standard Webhooks: one alert for a body, for each of its lines, or for each item of a list. */
export const generic: Adapter = {
  sender: 'generic',
  secretNames: SECRET_NAMES,
  read: ({ body, form }: Delivery) => ({ drafts: elementsOf(body, form).map(readAny) }),
};

/** Objects of a list that are an alert each. A longer list of nobody knows whom is data, and one alert. */
const MAX_LISTED = 1_000;

/** The alerts of a body: the objects of a list, or the body. */
function elementsOf(body: JsonValue, form: Delivery['form']): JsonValue[] {
  if (form === 'lines') return body.items(MAX_EVENTS + 1);
  if (!body.isArray) return [body];
  const items = body.items(MAX_LISTED + 1);
  const isAlerts = items.length > 0 && items.length <= MAX_LISTED && items.every(({ isObject }) => isObject);
  return isAlerts ? items : [body];
}

/** Reads any JSON value as one alert, by the names that senders commonly use. */
export function readAny(element: JsonValue): Draft {
  if (!element.isObject) {
    const text = element.isString ? find(element) : undefined;
    return { element, title: text && withValue(text, plainText(text.value)), state: NO_LIFECYCLE };
  }
  return { ...understand(element, element.hasAny(ADDRESSED, MAX_MEMBERS)), element };
}

/**
 * Reads the elements of a sender's batch. An object that is none of its events is read as any JSON, so that nothing of the
 * batch is lost; `null`, numbers and texts say nothing by themselves. A batch without any event is not the sender's.
 */
export const readBatch = (
  elements: readonly JsonValue[],
  isEvent: (element: JsonValue) => boolean,
  readEvent: (element: JsonValue) => Draft,
): Draft[] =>
  elements.some(isEvent)
    ? elements
        .filter(({ isObject }) => isObject)
        .map((element) => (isEvent(element) ? readEvent(element) : readAny(element)))
    : [];

/** Fields by which a body is written for this product. */
const ADDRESSED = new WantedNames([...CUSTOMER_FIELDS, 'alertType'], []);
