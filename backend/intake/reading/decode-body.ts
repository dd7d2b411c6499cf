import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { type ProblemError, malformed, unacceptable, unsupportedMediaType } from '#backend/platform/endpoint/errors.ts';
import { scanJson } from '#backend/intake/json/scan-json.ts';
import type { Delivery } from '#backend/intake/adapters/adapter.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';

/** A body as JSON, with the form that it came in. */
export type DecodedBody = Pick<Delivery, 'body' | 'form'>;

const FORM_TYPE = 'application/x-www-form-urlencoded';
const LINE_TYPES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
]);

/** The media type of a `Content-Type`, in lower case and without parameters. */
export const mediaTypeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

/** Media types of what is read: JSON in any form, forms, and what senders call their JSON instead. */
const READABLE =
  /^(?:application\/(?:json|x-www-form-urlencoded|x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|octet-stream)|text\/(?:json|plain)|[a-z]+\/[a-z0-9.!#$&^_-]+\+json)$/;

/** Refuses what cannot be JSON: 415 for another media type, or another character set than UTF-8. */
export function mediaTypeError(contentType: string): ProblemError | undefined {
  if (contentType === '' || contentType === 'application/json') return undefined;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!READABLE.test(type)) {
    return unsupportedMediaType('Send the body as JSON, with Content-Type: application/json.');
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const isUtf8 = charset === undefined || /^"?(?:utf-?8|us-ascii)"?$/.test(charset);
  return isUtf8 ? undefined : unsupportedMediaType('Send the body in UTF-8.');
}

/** Whether a body is a form: curl calls JSON one, too. */
export const isFormBody = (text: string, contentType: string): boolean =>
  contentType !== '' && mediaTypeOf(contentType) === FORM_TYPE && !/^\s*[{[]/.test(text);

/** Whether each line of a body is JSON of its own. */
export const isLinesBody = (contentType: string): boolean =>
  contentType !== '' && LINE_TYPES.has(mediaTypeOf(contentType));

/**
 * Reads a body's text as JSON: JSON under any media type (SNS sends it as `text/plain`, curl as a form), a form's fields as an
 * object, the JSON of a form's `payload` (GitHub), and lines of JSON as an array of them.
 *
 * @returns an error to answer instead: 400 when it is not JSON, 422 when it nests too deeply
 */
export function decodeBody(text: string, contentType: string): DecodedBody | ProblemError {
  if (isFormBody(text, contentType)) return decodeForm(text);
  if (isLinesBody(contentType)) return decodeLines(text);
  const body = readJson(text, WEBHOOK_MAX_DEPTH);
  return typeof body === 'string' ? bodyError(text, body) : { body, form: 'json' };
}

function decodeForm(text: string): DecodedBody | ProblemError {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text.trim())) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  const payload = fields.get('payload')?.[0];
  if (payload !== undefined && /^\s*[{[]/.test(payload)) {
    const body = readJson(payload, WEBHOOK_MAX_DEPTH);
    return typeof body === 'string' ? bodyError(payload, body) : { body, form: 'json' };
  }
  if (fields.size === 0) return bodyError('', 'invalid');
  const members = [...fields].map(
    ([name, values]) => `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`,
  );
  return { body: readJson(`{${members.join(',')}}`, WEBHOOK_MAX_DEPTH) as JsonValue, form: 'form' };
}

/** One value a line; empty lines are none. */
function decodeLines(text: string): DecodedBody | ProblemError {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  for (const line of lines) {
    const verdict = scanJson(line, WEBHOOK_MAX_DEPTH);
    if (verdict !== 'valid') return bodyError(line, verdict);
  }
  if (lines.length === 0) return bodyError('', 'invalid');
  return { body: readJson(`[${lines.join(',')}]`, WEBHOOK_MAX_DEPTH + 1) as JsonValue, form: 'lines' };
}

function bodyError(text: string, verdict: 'invalid' | 'too deep'): ProblemError {
  if (verdict === 'too deep') return unacceptable(`The body nests deeper than ${WEBHOOK_MAX_DEPTH} levels.`);
  if (text.trim() === '') return malformed('The body is empty; send the alert as JSON.');
  return malformed(`The body is not valid JSON${placeOfError(text)}; send the alert as JSON.`);
}

/** Where a text stops being JSON, by the engine's own message: our scan reports only that it does. */
function placeOfError(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    const message = (error as Error).message;
    const position = /at position (\d+)/.exec(message)?.[1];
    if (message.startsWith('Unexpected end') || position === String(text.length)) {
      return `: the text ends at character ${text.length}`;
    }
    if (position !== undefined) return `: unexpected character ${Number(position) + 1}`;
  }
  return '';
}
