import { createHash } from 'node:crypto';
import type { FieldOrigin } from '#backend/contract/delivery.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import { CUSTOMER_FIELDS, TYPE_FIELDS, readCustomer, readType } from '#backend/ingest/read-alert.ts';
import type { Draft, SenderEvent } from './adapter.ts';
import type { Found } from './found.ts';
import { type JsonValue } from './json-value.ts';
import { WantedNames } from './wanted-names.ts';

/** Longest title, in characters. */
export const MAX_TITLE_LENGTH = 300;
/** Longest key, in characters: what every database indexes. */
export const MAX_KEY_LENGTH = 191;
/** Longest customer and alert type, in characters, as the specification's own. */
const MAX_NAME_LENGTH = 200;

/** Control characters, line breaks and marks that turn the direction of text: together with spaces they become one space. */
const FOLDED = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;

/** The names by which the specification derives customer and type. */
const SPECIFIED = new WantedNames(CUSTOMER_FIELDS, TYPE_FIELDS);

const NOTHING = jsonText('{}');

/** What {@link FOLDED} would change. */
const TO_FOLD =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202a-\u202f\u205f\u2066-\u2069\u3000\ufeff]| {2}|^ | $/u;

/** ASCII with single spaces: most titles. Expressions that know Unicode take ten times as long. */
const PLAIN_LINE = /^[!-~]+(?: [!-~]+)*$/;

/** One line of at most so many characters, never cut within one; `undefined` when nothing is left. */
export function oneLine(text: string, maxLength: number): string | undefined {
  const head = text.length <= maxLength ? text : text.slice(0, maxLength).trimEnd();
  if (PLAIN_LINE.test(head)) return head;
  if (text.length <= maxLength && !TO_FOLD.test(text)) return text || undefined;
  // A character has two units at most, and folding shortens: what is behind is cut in any case but that of endless space.
  const line = text
    .slice(0, 4 * maxLength)
    .toWellFormed()
    .replaceAll(FOLDED, ' ')
    .trim();
  if (line.length <= maxLength) return line || undefined;
  return [...line].slice(0, maxLength).join('').trim();
}

/** A key as it is, or its hash when it is longer than keys may be. */
export function boundedKey(key: string): string {
  const text = key.toWellFormed();
  if (text.length <= MAX_KEY_LENGTH) return text;
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A text of its own. Names are kept in memory: a part of the body's text would keep the whole body there. */
const copy = (text: string | undefined): string | undefined =>
  text === undefined || text.length < SHORTEST_SLICE ? text : Buffer.from(text).toString();

/** A shorter part of a text is always a text of its own in V8. */
const SHORTEST_SLICE = 13;

/**
 * Makes a draft an event: the specification's customer and type first, everything bounded.
 *
 * @param deliveryId names the delivery, where the draft does not name itself
 * @param secretNames members of the element whose values are masked in the payload
 */
export function finishEvent(
  draft: Draft,
  deliveryId: Found | undefined,
  secretNames: readonly string[] = [],
): SenderEvent {
  const { element } = draft;
  const origins: FieldOrigin[] = [];
  const keep = <Value extends string | number>(
    field: string,
    found: Found<Value> | undefined,
    bound: (value: Value) => Value | undefined,
  ) => {
    const value = found && bound(found.value);
    if (found === undefined || value === undefined) return null;
    const note = found.note;
    origins.push({
      field,
      value: field === 'at' ? new Date(value).toISOString() : String(value),
      path: found.path,
      ...(note === undefined ? {} : { note }),
    });
    return value;
  };
  const specified = element.isObject ? element.pick(SPECIFIED) : undefined;
  const { mapped } = draft;
  const customer = specified?.size && !mapped?.has('customer') && specifiedCustomer(element.text, specified);
  const alertType = specified?.size && !mapped?.has('alertType') && specifiedType(element.text, specified);
  return {
    title: keep('title', draft.title, titleLine),
    customer: customer ? keep('customer', customer, same) : keep('customer', draft.customer, nameLine),
    alertType: alertType ? keep('alertType', alertType, same) : keep('alertType', draft.alertType, nameLine),
    severity: keep('severity', draft.severity, same) ?? 'none',
    state: keep('state', draft.state, same) ?? 'event',
    dedupKey: keep('dedupKey', draft.dedupKey, boundedKey),
    deliveryId: keep('deliveryId', draft.deliveryId ?? deliveryId, boundedKey),
    link: keep('link', draft.link, same),
    groupKey: keep('groupKey', draft.groupKey, boundedKey),
    groupTitle: keep('groupTitle', draft.groupTitle, titleLine),
    at: keep('at', draft.at, same),
    payload: payloadOf(element, secretNames),
    element: element.path,
    shared: draft.shared ?? NOTHING,
    origins,
  };
}

const titleLine = (text: string) => oneLine(text, MAX_TITLE_LENGTH);
const nameLine = (text: string) => copy(oneLine(text, MAX_NAME_LENGTH));
const same = <Value>(value: Value): Value => value;

function payloadOf(element: JsonValue, secretNames: readonly string[]): JsonText {
  if (!element.isObject) return jsonText(`{"value":${element.source}}`);
  const secrets = secretNames.flatMap((name) => element.get(name) ?? []).toSorted((a, b) => b.start - a.start);
  let { source } = element;
  // From the last one on: what stands before a replaced value keeps its position.
  for (const secret of secrets) {
    const behind = source.slice(secret.end - element.start);
    source = source.slice(0, secret.start - element.start) + JSON.stringify(masked(secret.string ?? '')) + behind;
  }
  return jsonText(source);
}

/** A secret but for its last four characters, of a short one nothing. */
export const masked = (secret: string): string => `…${secret.length > 8 ? secret.slice(-4) : ''}`;

function specifiedCustomer(text: string, fields: ReadonlyMap<string, JsonValue>): Found | undefined {
  for (const name of CUSTOMER_FIELDS) {
    const field = fields.get(name);
    const value = field && readCustomer({ text, places: new Map([[name, field]]) });
    if (value) return { value, path: (field.isObject ? field.get('name') : field)?.path ?? field.path };
  }
  return undefined;
}

function specifiedType(text: string, fields: ReadonlyMap<string, JsonValue>): Found | undefined {
  for (const wanted of TYPE_FIELDS) {
    for (const [name, field] of fields) {
      if (name.toLowerCase() !== wanted) continue;
      const value = readType({ text, places: new Map([[name, field]]) });
      if (value) return { value, path: field.path };
    }
  }
  return undefined;
}
