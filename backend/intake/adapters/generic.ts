import type { AlertState } from '#backend/contract/alert.ts';
import { MAX_EVENTS, type Adapter, type Delivery, type Draft } from './adapter.ts';
import { type Found, find, firstSeverity, linkOf, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import { type JsonValue, MAX_MEMBERS, WantedNames } from '#backend/intake/json/json-value.ts';
import { TYPE_FIELDS, URL_FIELDS } from './specified-fields.ts';

const TITLE = ['title', 'message', 'summary', 'name', 'subject', 'msg'];
const SEVERITY = ['severity', 'priority', 'level'];
const STATE = ['status', 'state'];
const KEY = ['dedupkey', 'dedup_key'];
const TIME = ['timestamp', 'time', 'occurred_at', 'created_at', 'date'];
const TYPE = ['event_type', 'eventtype', 'event'];

/** A body's own data, as Standard Webhooks and many others wrap it. */
const WRAPPED = 'data';

/** Names count in upper and lower case, but for addresses, which the specification spells out. */
const WANTED = new WantedNames(URL_FIELDS, [
  ...TITLE,
  ...SEVERITY,
  ...STATE,
  ...KEY,
  ...TIME,
  ...TYPE,
  ...TYPE_FIELDS,
  WRAPPED,
]);

const WANTED_IN_DATA = new WantedNames(URL_FIELDS, TITLE);

const STATES: ReadonlyMap<string, AlertState> = new Map([
  ...['resolved', 'ok', 'closed', 'recovered'].map((word) => [word, 'resolved'] as const),
  ...['acknowledged', 'acked'].map((word) => [word, 'acknowledged'] as const),
]);

/** Any JSON, and the envelope of Standard Webhooks: one alert for a body, or for each of its lines. */
export const generic: Adapter = {
  sender: 'generic',
  read: ({ body, form }: Delivery) => ({
    drafts: form === 'lines' ? body.items(MAX_EVENTS + 1).map(readAny) : [readAny(body)],
  }),
};

/** Reads any JSON value as one alert, by the names that senders commonly use. */
export function readAny(element: JsonValue): Draft {
  if (!element.isObject) {
    const text = element.isString ? find(element) : undefined;
    return { element, title: text, state: NO_LIFECYCLE };
  }
  const fields = pickAnyCase(element, WANTED);
  const type = first(fields, TYPE);
  const data = fields.get(WRAPPED);
  const wrapped = data?.isObject ? pickAnyCase(data, WANTED_IN_DATA) : undefined;
  const dedupKey = first(fields, KEY);
  return {
    element,
    title: first(fields, TITLE) ?? (wrapped && first(wrapped, TITLE)) ?? titleOfType(fields, type),
    alertType: type,
    severity: firstSeverity(...SEVERITY.map((name) => first(fields, [name]))),
    state: stateOf(dedupKey, first(fields, STATE)),
    dedupKey,
    link: linkOf(...addresses(fields), ...(wrapped ? addresses(wrapped) : [])),
    at: timeOf(first(fields, TIME)),
  };
}

const NO_LIFECYCLE = rule<AlertState>('event', 'no key names the problem');

/** Without a key nothing can ever resolve the alert: it is an event. */
export function stateOf(dedupKey: Found | undefined, word: Found | undefined): Found<AlertState> {
  if (dedupKey === undefined) return NO_LIFECYCLE;
  const state = word && STATES.get(word.value.toLowerCase());
  if (word && state) return withValue<AlertState>(word, state);
  return rule<AlertState>('firing', 'a key names the problem', dedupKey.path);
}

/** The word by which a body says where its problem stands. */
export const statusOf = (element: JsonValue): Found | undefined =>
  element.isObject ? first(pickAnyCase(element, WANTED), STATE) : undefined;

const titleOfType = (fields: ReadonlyMap<string, JsonValue>, type: Found | undefined): Found | undefined => {
  const found = first(fields, TYPE_FIELDS) ?? type;
  return found && withValue(found, found.value, 'nothing else names it');
};

const addresses = (fields: ReadonlyMap<string, JsonValue>): (Found | undefined)[] =>
  URL_FIELDS.map((name) => (fields.get(name)?.isString ? find(fields.get(name)) : undefined));

/** The first of several fields that has a text. */
function first(fields: ReadonlyMap<string, JsonValue>, names: readonly string[]): Found | undefined {
  for (const name of names) {
    const found = find(fields.get(name));
    if (found) return found;
  }
  return undefined;
}

/** Fields by their names in lower case, but for addresses; a name that is written so counts before others. */
function pickAnyCase(element: JsonValue, wanted: WantedNames): Map<string, JsonValue> {
  const fields = element.pick(wanted, MAX_MEMBERS);
  for (const [name, field] of fields) {
    const lower = name.toLowerCase();
    if (lower !== name && !fields.has(lower) && !URL_FIELDS.includes(name)) fields.set(lower, field);
  }
  return fields;
}
