import type { ParameterizedContext } from 'koa';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { type ProblemError, malformed, tooLarge, unsupportedMediaType } from './errors.ts';

/** A request as Koa's middleware sees it, without what only sockets have. */
export type HttpContext = ParameterizedContext;

/** The token of an `Authorization: Bearer …` header (RFC 6750); empty when there is none. */
export function bearerToken(authorization: string | undefined): string {
  if (!authorization) return '';
  const [scheme, token] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' && token ? token : '';
}

/** The same of a request as Koa sees it. */
export const bearerTokenOf = (ctx: HttpContext): string => bearerToken(ctx.get('Authorization'));

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request's body as the text of JSON, without parsing it. A sender that names no media type is believed to
 * mean JSON; one that names another gets an error.
 *
 * @throws {ProblemError} 415 when the body is not JSON in UTF-8 or is compressed, 413 when it is longer than
 * `maxBytes`, 400 when it breaks off or is not UTF-8.
 */
export async function readJsonText(request: IncomingMessage, maxBytes: number): Promise<string> {
  checkMediaType(request.headers['content-type']);
  return readText(request, maxBytes);
}

/**
 * Reads a form (`application/x-www-form-urlencoded`) as the JSON text of its fields, the first of each name. Throws as
 * {@link readJsonText} does.
 */
export async function readFormText(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (parseMediaType(request.headers['content-type'] ?? '')?.essence !== 'application/x-www-form-urlencoded') {
    throw unsupportedMediaType('Send the body with Content-Type: application/x-www-form-urlencoded.');
  }
  const fields = new URLSearchParams(await readText(request, maxBytes));
  return JSON.stringify(Object.fromEntries([...fields].toReversed()));
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMediaType('Send the body uncompressed, without Content-Encoding.');
  }
  const bytes = await readBytes(request, maxBytes);
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

/** The media types of JSON: its own, that of reports of violations (CSP 3), and any `+json` (RFC 6839). */
const JSON_TYPES = /^(?:application\/json|text\/json|application\/csp-report|[a-z]+\/[a-z0-9.!#$&^_-]+\+json)$/;

/** The media type that was accepted last: senders of alerts send the same one again and again. */
let acceptedType: string | undefined;

/** @throws {ProblemError} 415 for what is not JSON, or not in UTF-8 (RFC 8259 section 8.1). */
function checkMediaType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '' || contentType === acceptedType) return;
  const type = parseMediaType(contentType);
  if (!type || !JSON_TYPES.test(type.essence)) {
    throw unsupportedMediaType('Send the body as JSON, with Content-Type: application/json.');
  }
  const charset = type.params.get('charset');
  if (charset !== null && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType('Send the body in UTF-8.');
  acceptedType = contentType;
}

function parseMediaType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType);
  } catch {
    return undefined;
  }
}

/** What was read of a body so far. */
export interface BegunBody {
  parts: Buffer[];
  /** Whether that is all of it. */
  isEnded: boolean;
}

const NOT_BEGUN: BegunBody = { parts: [], isEnded: false };

/**
 * The body's bytes, at most so many; one that announces more is not read at all. Node's parser has checked that the
 * announced length is a number, and ends a body that is shorter with an error.
 *
 * @param begun what was read of it before
 */
export function readBytes(request: IncomingMessage, maxBytes: number, begun = NOT_BEGUN): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const parts = [...begun.parts];
  let length = parts.reduce((sum, part) => sum + part.length, 0);
  const stopReading = () => {
    request.off('data', take);
    request.pause();
    reject(tooLarge(`The body is larger than ${maxBytes.toLocaleString('en')} bytes.`));
  };
  const take = (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) stopReading();
  };
  const end = () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));
  if (Math.max(length, Number(request.headers['content-length'] ?? 0)) > maxBytes) stopReading();
  else if (begun.isEnded) end();
  else listen(request, { take, end, reject });
  return promise;
}

/** Reads the beginning of a body: so many bytes or a few more, or all of it. The rest waits, to be read or thrown away. */
export function beginBytes(request: IncomingMessage, enough: number): Promise<BegunBody> {
  const { promise, resolve, reject } = Promise.withResolvers<BegunBody>();
  const parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer) => {
    parts.push(part);
    length += part.length;
    if (length < enough) return;
    request.pause();
    leave();
    resolve({ parts, isEnded: false });
  };
  const leave = listen(request, { take, end: () => resolve({ parts, isEnded: true }), reject });
  return promise;
}

/** Has a body flow. Returns what ends listening to it. */
function listen(
  request: IncomingMessage,
  { take, end, reject }: { take: (part: Buffer) => void; end: () => void; reject: (error: ProblemError) => void },
): () => void {
  // `close` follows every body. An error object costs as much as reading one.
  const breakOff = () => {
    if (!request.complete || request.errored) reject(malformed('The body broke off before its end.'));
  };
  request.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff);
  if (request.isPaused()) request.resume();
  return () => request.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff);
}
