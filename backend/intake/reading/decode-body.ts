import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { type ProblemError, malformed, unacceptable, unsupportedMediaType } from '#backend/platform/endpoint/errors.ts';
import { scanJson } from '#backend/intake/json/scan-json.ts';
import type { Delivery } from '#backend/intake/adapters/adapter.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';

/** A body as JSON, with the form that it came in. */
export type DecodedBody = Pick<Delivery, 'body' | 'form'>;

/** The media type of HTML forms, and of an address's query. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';
const LINE_TYPES = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
]);

/** The media type of a `Content-Type`, in lower case and without parameters. */
export const mediaTypeOf = (contentType: string): string => (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();

const MULTIPART_TYPE = 'multipart/form-data';

/** Whether a body has parts as forms with files do. */
export const isMultipartBody = (contentType: string): boolean => mediaTypeOf(contentType) === MULTIPART_TYPE;

/** Media types of what is read: JSON in any form, forms, plain text, and what senders call their JSON instead. */
const READABLE =
  /^(?:application\/(?:json|x-www-form-urlencoded|x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|octet-stream)|multipart\/form-data|text\/(?:json|plain|markdown|x-markdown)|[a-z]+\/[a-z0-9.!#$&^_-]+\+json)$/;

/** Refuses what cannot be read: 415 for another media type, or a character set that nobody knows. */
export function mediaTypeError(contentType: string): ProblemError | undefined {
  if (contentType === '' || contentType === 'application/json') return undefined;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (!READABLE.test(type)) {
    return unsupportedMediaType('Send the body as JSON, with Content-Type: application/json.');
  }
  return isKnownCharset(charsetIn(parameters)) ? undefined : unsupportedMediaType('Send the body in UTF-8.');
}

const charsetIn = (parameters: readonly string[]): string => {
  const written = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length) ?? '';
  const charset = written.replaceAll('"', '');
  return charset === '' || /^(?:utf-?8|us-ascii)$/.test(charset) ? 'utf-8' : charset;
};

function isKnownCharset(charset: string): boolean {
  if (charset === 'utf-8') return true;
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
}

/** The character set of a body, `utf-8` where its `Content-Type` names none. */
export const charsetOf = (contentType: string): string =>
  contentType.includes(';')
    ? charsetIn(
        contentType
          .toLowerCase()
          .split(';')
          .map((part) => part.trim()),
      )
    : 'utf-8';

/** Whether a body is a form: curl calls JSON one, too. */
export const isFormBody = (text: string, contentType: string): boolean =>
  contentType !== '' && mediaTypeOf(contentType) === FORM_TYPE && !/^\s*[{[]/.test(text);

/** Whether each line of a body is JSON of its own. */
export const isLinesBody = (contentType: string): boolean =>
  contentType !== '' && LINE_TYPES.has(mediaTypeOf(contentType));

/**
 * Reads a body's text as JSON: JSON under any media type (SNS sends it as `text/plain`, curl as a form), a form's fields as an
 * object, the JSON of a form's `payload` (GitHub) or `data` (Uptime Kuma), lines of JSON as an array of them, and plain text
 * as one string.
 *
 * @returns an error to answer instead: 400 when it is not JSON, 422 when it nests too deeply
 */
export function decodeBody(text: string, contentType: string): DecodedBody | ProblemError {
  if (isFormBody(text, contentType))
    return isPlainText(text) ? textBody(text) : decodeForm(new URLSearchParams(text.trim()));
  if (isLinesBody(contentType)) return decodeLines(text);
  if (isMultipartBody(contentType)) {
    const fields = partsOf(text, contentType, MAX_PARTS).filter(({ isFile }) => !isFile);
    return decodeForm(fields.map(({ name, start, end }) => [name, text.slice(start, end)]));
  }
  const body = readJson(text, WEBHOOK_MAX_DEPTH);
  if (typeof body !== 'string') return { body, form: 'json' };
  return mayBeText(text, contentType) ? textBody(text) : bodyError(text, body);
}

/** A form has neither spaces nor line breaks (https://url.spec.whatwg.org/#application/x-www-form-urlencoded): `curl -d "backup failed"`. */
const isPlainText = (text: string): boolean => /\S\s+\S/.test(text) || /^\s*[^\s=&]+\s*$/.test(text);

/** Whether what is no JSON is a text: where nobody says that it is JSON, and it does not begin as JSON does. */
function mayBeText(text: string, contentType: string): boolean {
  const type = mediaTypeOf(contentType);
  if (type !== '' && !/^(?:text\/(?!json)|application\/octet-stream$)/.test(type)) return false;
  return /\S/.test(text) && !/^\s*(?:\{|\[\s*(?:["{[\d\]-]|true|false|null))/.test(text);
}

const textBody = (text: string): DecodedBody => ({
  body: readJson(JSON.stringify(text.trim()), WEBHOOK_MAX_DEPTH) as JsonValue,
  form: 'json',
});

/** Most parts of a form that are read. */
const MAX_PARTS = 1_000;

/** A part of `multipart/form-data`, with where its value stands. */
export interface FormPart {
  name: string;
  isFile: boolean;
  start: number;
  end: number;
}

/**
 * The parts of `multipart/form-data` (RFC 7578). The text is read here and not by a library that reads streams: the log
 * keeps what was sent, and reads it again in the same step.
 */
export function partsOf(text: string, contentType: string, limit = Number.POSITIVE_INFINITY): FormPart[] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return [];
  const delimiter = `--${mark}`;
  const parts: FormPart[] = [];
  let next = text.indexOf(delimiter);
  while (next >= 0 && parts.length < limit) {
    const at = next + delimiter.length;
    next = text.indexOf(delimiter, at);
    const part = text.slice(at, next < 0 ? text.length : next);
    const head = /\r?\n\r?\n/.exec(part);
    if (!head) continue;
    const name = /;\s*name="((?:[^"\\\r\n]|\\.)*)"/i.exec(part.slice(0, head.index))?.[1];
    if (name === undefined) continue;
    const isFile = /;\s*filename\*?=/i.test(part.slice(0, head.index));
    const end = at + part.replace(/\r?\n$/, '').length;
    parts.push({ name, isFile, start: Math.min(at + head.index + head[0].length, end), end });
  }
  return parts;
}

/** Fields of a form that hold its JSON, the first choice first. */
export const JSON_FIELDS = ['payload', 'data', 'json', 'body', 'alert', 'event'];

function decodeForm(pairs: Iterable<[string, string]>): DecodedBody | ProblemError {
  const fields = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  for (const name of JSON_FIELDS) {
    const payload = fields.get(name)?.[0];
    if (payload === undefined || !/^\s*[{[]/.test(payload) || (name !== 'payload' && fields.size > 1)) continue;
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
