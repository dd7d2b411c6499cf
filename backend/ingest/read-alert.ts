import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { malformed, unacceptable } from '#backend/endpoint/errors.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';

/** What a posted body says (contract.md section 3). */
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

const CUSTOMER_FIELDS = ['customer', 'Customer', 'customerName'];
const TYPE_FIELDS = ['alerttype', 'alert_type', 'alert type', 'type'];
const URL_FIELDS = ['url', 'link', 'html_url', 'externalURL', 'generatorURL', 'dashboardURL'];

type Fields = Record<string, unknown>;

/**
 * Reads a posted body into the fields of an alert. The payload stays the text it came as: JSON numbers have more
 * digits than JavaScript's.
 *
 * @param request the body's text, the request's path with query, and its headers.
 * @throws {ProblemError} 400 when the text is not JSON, 422 when it nests too deeply.
 */
export function readAlert(request: {
  text: string;
  target: string;
  headers: Record<string, string | string[] | undefined>;
}): ReadAlert {
  if (nestsDeeperThan(request.text, WEBHOOK_MAX_DEPTH)) {
    throw unacceptable(`The body nests deeper than ${WEBHOOK_MAX_DEPTH} levels.`);
  }
  const body = parse(request.text);
  const isFields = typeof body === 'object' && body !== null && !Array.isArray(body);
  const fields: Fields = isFields ? (body as Fields) : { value: body };
  const source = { fields, text: request.text };
  return {
    payload: jsonText(isFields ? request.text.trim() : `{"value":${request.text.trim()}}`),
    extraData: readExtraData(fields, request),
    customer: readCustomer(source),
    alertType: readType(source),
    url: readUrl(fields) ?? request.target,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed(
      text.trim() === ''
        ? 'The body is empty; send the alert as JSON.'
        : 'The body is not valid JSON; send the alert as JSON.',
    );
  }
}

/** Counts brackets outside strings, before anything is parsed: the cost is one pass, whatever the text holds. */
function nestsDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      if (depth > limit) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth -= 1;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

function readCustomer(source: { fields: Fields; text: string }): string | null {
  for (const name of CUSTOMER_FIELDS) {
    const value = own(source.fields, name);
    const named = isObject(value) ? { path: [name, 'name'], value: own(value, 'name') } : { path: [name], value };
    const text = derivedText(source, named.path, named.value);
    if (text) return text;
  }
  return null;
}

function readType(source: { fields: Fields; text: string }): string | null {
  const keys = Object.keys(source.fields);
  for (const name of TYPE_FIELDS) {
    for (const key of keys) {
      if (key.toLowerCase() !== name) continue;
      const text = derivedText(source, [key], source.fields[key]);
      if (text) return text;
    }
  }
  return null;
}

function readUrl(fields: Fields): string | undefined {
  for (const name of URL_FIELDS) {
    const value = own(fields, name);
    if (typeof value !== 'string' || value.length > MAX_URL_LENGTH) continue;
    const link = value.trim();
    if (/^https?:\/\//i.test(link) && URL.canParse(link)) return link.toWellFormed();
  }
  return undefined;
}

/** Query parameters, CloudEvents headers (binary mode, HTTP binding 3.1.3), then the body's own `extraData`. */
function readExtraData(
  fields: Fields,
  request: { text: string; target: string; headers: Record<string, string | string[] | undefined> },
): JsonText {
  const extra = new Map<string, unknown>();
  const query = request.target.indexOf('?');
  if (query >= 0) {
    const parameters = new URLSearchParams(request.target.slice(query));
    for (const name of new Set(parameters.keys())) {
      const values = parameters.getAll(name);
      extra.set(name, values.length === 1 ? values[0] : values);
    }
  }
  for (const [name, value] of Object.entries(request.headers)) if (name.startsWith('ce-')) extra.set(name, value);
  const nested = own(fields, 'extraData');
  if (isObject(nested)) {
    const exact = own(parseExactly(request.text) as Fields, 'extraData') as Fields;
    for (const [name, value] of Object.entries(exact)) extra.set(name, value);
  }
  if (extra.size === 0) return jsonText('{}');
  const members = [...extra].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return jsonText(`{${members.join(',')}}`);
}

/** A derived field as text: trimmed, at most 200 characters, `undefined` when there is nothing to show. */
function derivedText(source: { text: string }, path: string[], value: unknown): string | undefined {
  if (typeof value === 'number') return numberText(source.text, path, value);
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim().toWellFormed();
  if (trimmed.length <= MAX_DERIVED_LENGTH) return trimmed;
  return [...trimmed].slice(0, MAX_DERIVED_LENGTH).join('').trim();
}

/** A number with the digits it was written with. */
function numberText(text: string, path: string[], value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  let exact: unknown = parseExactly(text);
  for (const name of path) exact = isObject(exact) ? own(exact, name) : undefined;
  return JSON.stringify(exact ?? value).slice(0, MAX_DERIVED_LENGTH);
}

interface RawJson {
  rawJSON(text: string): unknown;
}

/** Parses with numbers kept as they were written (ECMAScript's JSON.parse source text access). */
function parseExactly(text: string): unknown {
  const { rawJSON } = JSON as unknown as RawJson;
  const keepNumbers = (_key: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? rawJSON(context.source) : value;
  return JSON.parse(text, keepNumbers as (key: string, value: unknown) => unknown);
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A body's own field: never what every object inherits. */
const own = (fields: Fields, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);
