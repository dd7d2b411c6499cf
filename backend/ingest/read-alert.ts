import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { malformed, unacceptable } from '#backend/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import { readString, scanJson, scanMembers } from './scan-json.ts';

/** The fields of an alert that are derived from a posted body. */
export interface ReadAlert {
  payload: JsonText;
  extraData: JsonText;
  customer: string | null;
  alertType: string | null;
  url: string;
}

/** Longest derived field, in characters; the payload itself is never cut. */
const MAX_DERIVED_LENGTH = 200;

/** Longest link that is taken from a payload, in characters: what browsers open. */
const MAX_URL_LENGTH = 8_000;

/** The specification's fields, the first choice first. Types count in upper and lower case. */
export const CUSTOMER_FIELDS = ['customer', 'Customer', 'customerName'];
export const TYPE_FIELDS = ['alerttype', 'alert_type', 'alert type', 'type'];
export const URL_FIELDS = ['url', 'link', 'html_url', 'externalURL', 'generatorURL', 'dashboardURL'];
const EXTRA_FIELD = 'extraData';

const FIELDS = new Set([...CUSTOMER_FIELDS, ...URL_FIELDS, EXTRA_FIELD]);
const FIELD_LENGTHS = [...FIELDS, ...TYPE_FIELDS].map(({ length }) => length);
const SHORTEST_FIELD = Math.min(...FIELD_LENGTHS);
const LONGEST_FIELD = Math.max(...FIELD_LENGTHS);
const TYPE_LENGTHS = new Set(TYPE_FIELDS.map(({ length }) => length));

/** What a field's key may begin with: a look at it spares most keys of most bodies everything else. */
const FIELD_BEGINNINGS = new Set(
  ['\\', ...FIELDS, ...TYPE_FIELDS, ...TYPE_FIELDS.map((name) => name.toUpperCase())].map((name) => name.charCodeAt(0)),
);

/** A key may be written with an escape of six characters for each of its own. */
const ESCAPE_LENGTH = 6;

/** A request to the webhook: its body's text, its path with query, and its headers. */
export interface AlertRequest {
  text: string;
  target: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Where a value stands in a text. */
interface Place {
  start: number;
  end: number;
}

/** A text, and where it has the fields that mean something here, by name in the order of their first arrival. */
export interface AlertText {
  text: string;
  places: ReadonlyMap<string, Place>;
}

/**
 * Reads a posted body into the fields of an alert. The payload stays the text it came as: JSON numbers have more
 * digits than JavaScript's. The body's values are not built but for the few that are needed, so that the cost follows
 * from its size alone, whatever it holds.
 *
 * @throws {ProblemError} 400 when the text is not JSON, 422 when it nests too deeply.
 */
export function readAlert(request: AlertRequest, maxDepth = WEBHOOK_MAX_DEPTH): ReadAlert {
  const { text } = request;
  const places = new Map<string, Place>();
  const verdict = scanJson(text, maxDepth, (keyStart, keyEnd, start, end) => {
    const name = fieldName(text, keyStart, keyEnd);
    // Of a field that comes twice the last one counts, as JSON.parse has it.
    if (name !== undefined) places.set(name, { start, end });
  });
  if (verdict === 'too deep') throw unacceptable(`The body nests deeper than ${maxDepth} levels.`);
  if (verdict === 'invalid') {
    throw malformed(
      text.trim() === ''
        ? 'The body is empty; send the alert as JSON.'
        : 'The body is not valid JSON; send the alert as JSON.',
    );
  }
  const payload = text.trim();
  const source: AlertText = { text, places };
  return {
    payload: jsonText(payload.startsWith('{') ? payload : `{"value":${payload}}`),
    extraData: readExtraData(source, request),
    customer: readCustomer(source),
    alertType: readType(source),
    url: readUrl(source) ?? request.target,
  };
}

/** The name of a key, if it means something here. */
function fieldName(text: string, start: number, end: number): string | undefined {
  const length = end - start - 2;
  if (length < SHORTEST_FIELD || length > LONGEST_FIELD * ESCAPE_LENGTH) return undefined;
  if (!FIELD_BEGINNINGS.has(text.charCodeAt(start + 1))) return undefined;
  const name = readString(text, start, end);
  const isType = TYPE_LENGTHS.has(name.length) && TYPE_FIELDS.includes(name.toLowerCase());
  return isType || FIELDS.has(name) ? name : undefined;
}

/** The customer that the specification derives, as at most 200 characters. */
export function readCustomer({ text, places }: AlertText): string | null {
  for (const name of CUSTOMER_FIELDS) {
    const place = places.get(name);
    const named = place && isObject(text, place) ? placeOfMember(text, place, 'name') : place;
    const customer = named && derivedText(text, named);
    if (customer) return customer;
  }
  return null;
}

/** The alert type that the specification derives, as at most 200 characters. */
export function readType({ text, places }: AlertText): string | null {
  for (const name of TYPE_FIELDS) {
    for (const [key, place] of places) {
      const type = key.toLowerCase() === name && derivedText(text, place);
      if (type) return type;
    }
  }
  return null;
}

/** The first http(s) address among the specification's fields. */
export function readUrl({ text, places }: AlertText): string | undefined {
  for (const name of URL_FIELDS) {
    const place = places.get(name);
    if (!place || !isString(text, place)) continue;
    if (place.end - place.start > MAX_URL_LENGTH * ESCAPE_LENGTH + 2) continue;
    const value = readString(text, place.start, place.end);
    if (value.length > MAX_URL_LENGTH) continue;
    const link = value.trim();
    if (/^https?:\/\//i.test(link) && URL.canParse(link)) return link.toWellFormed();
  }
  return undefined;
}

/** Query parameters, CloudEvents headers (binary mode, HTTP binding 3.1.3), then the body's own `extraData`. */
function readExtraData({ text, places }: AlertText, { target, headers }: AlertRequest): JsonText {
  const extra = readParameters(target);
  for (const name in headers) if (name.startsWith('ce-')) extra.set(name, JSON.stringify(headers[name]));
  const place = places.get(EXTRA_FIELD);
  const own = place && isObject(text, place) ? text.slice(place.start, place.end) : NOTHING;
  if (extra.size === 0) return jsonText(own);
  // The body's own fields stand as they were sent; of a name that both have, the body's counts.
  scanMembers(own, 0, (keyStart, keyEnd) => extra.delete(readString(own, keyStart, keyEnd)));
  const members = [...extra].map(([name, value]) => `${JSON.stringify(name)}:${value}`);
  const ownMembers = own.slice(1, -1).trim();
  if (ownMembers) members.push(ownMembers);
  return jsonText(`{${members.join(',')}}`);
}

const NOTHING = '{}';

/** The parameters of a path's query, as JSON texts: a string, or an array of strings for a name that comes again. */
function readParameters(target: string): Map<string, string> {
  const query = target.indexOf('?');
  if (query < 0) return new Map();
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(target.slice(query))) {
    const others = values.get(name);
    if (others) others.push(value);
    else values.set(name, [value]);
  }
  return new Map([...values].map(([name, all]) => [name, JSON.stringify(all.length === 1 ? all[0] : all)]));
}

/** Where an object's member has its value; of several with this name the last one counts. */
function placeOfMember(text: string, object: Place, name: string): Place | undefined {
  let found: Place | undefined;
  scanMembers(text, object.start, (keyStart, keyEnd, start, end) => {
    const length = keyEnd - keyStart - 2;
    if (length < name.length || length > name.length * ESCAPE_LENGTH) return;
    if (readString(text, keyStart, keyEnd) === name) found = { start, end };
  });
  return found;
}

/**
 * A derived field as text: trimmed, at most 200 characters; `undefined` for what is neither string nor number. It is a
 * text of its own: a part of the body's would keep the whole body in memory wherever the name is kept.
 */
function derivedText(text: string, place: Place): string | undefined {
  if (isString(text, place)) {
    const value = JSON.parse(text.slice(place.start, place.end)) as string;
    const trimmed = value.trim();
    if (trimmed.length <= MAX_DERIVED_LENGTH) {
      return (trimmed.length === value.length ? value : copy(trimmed)).toWellFormed();
    }
    // A character has two units at most.
    const beginning = trimmed.slice(0, 2 * MAX_DERIVED_LENGTH).toWellFormed();
    return copy([...beginning].slice(0, MAX_DERIVED_LENGTH).join('').trim());
  }
  if (!/[-\d]/.test(text.charAt(place.start))) return undefined;
  const written = text.slice(place.start, place.end);
  const value = Number(written);
  // Beyond that JavaScript's numbers lose digits.
  return Number.isSafeInteger(value) ? String(value) : copy(written.slice(0, MAX_DERIVED_LENGTH));
}

const copy = (text: string): string => JSON.parse(JSON.stringify(text)) as string;

const isString = (text: string, { start }: Place): boolean => text.charAt(start) === '"';

const isObject = (text: string, { start }: Place): boolean => text.charAt(start) === '{';
