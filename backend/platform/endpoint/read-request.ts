import type { ParameterizedContext } from 'koa';
import type { IncomingMessage } from 'node:http';
import { MIMEType } from 'node:util';
import { unsupportedMediaType } from './errors.ts';
import { readBytes, readText } from './read-body.ts';

/** A request as Koa's middleware sees it, without what only sockets have. */
export type HttpContext = ParameterizedContext;

/** The token of an `Authorization: Bearer …` header (RFC 6750); empty when there is none. */
export const bearerToken = (authorization: string | undefined): string =>
  /^\s*bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? '';

/** The same of a request as Koa sees it. */
export const bearerTokenOf = (ctx: HttpContext): string => bearerToken(ctx.get('Authorization'));

/**
 * Reads a request's body as the text of JSON, without parsing it. A sender that names no media type is believed to
 * mean JSON; one that names another gets an error.
 *
 * @throws {ProblemError} 415 when the body is not JSON in UTF-8 or is compressed, 413 when it is longer than
 * `maxBytes`, 400 when it breaks off or is not UTF-8.
 */
export async function readJsonText(request: IncomingMessage, maxBytes: number): Promise<string> {
  checkMediaType(request.headers['content-type']);
  return readPlain(request, maxBytes);
}

/** Reads a form (`application/x-www-form-urlencoded`) as it came. Throws as {@link readJsonText} does. */
export async function readFormText(request: IncomingMessage, maxBytes: number): Promise<string> {
  if (parseMediaType(request.headers['content-type'] ?? '')?.essence !== 'application/x-www-form-urlencoded') {
    throw unsupportedMediaType('Send the body with Content-Type: application/x-www-form-urlencoded.');
  }
  return readPlain(request, maxBytes);
}

/** The JSON text of a form's fields, the first of each name. */
export const formAsJson = (form: string): string =>
  JSON.stringify(Object.fromEntries([...new URLSearchParams(form)].toReversed()));

async function readPlain(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw unsupportedMediaType('Send the body uncompressed, without Content-Encoding.');
  }
  return readText(await readBytes(request, maxBytes));
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
