import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { malformed, tooLarge, unsupportedMediaType } from './errors.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a request's body as the text of JSON, without parsing it. A sender that names no media type is believed to
 * mean JSON; one that names another is told.
 *
 * @throws {ProblemError} 415 when the body is not JSON in UTF-8 or is compressed, 413 when it is longer than
 * `maxBytes`, 400 when it breaks off or is not UTF-8.
 */
export async function readJsonText(request: IncomingMessage, maxBytes: number): Promise<string> {
  checkMediaType(request.headers['content-type']);
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

/** JSON by its own type or any `+json` (RFC 6839), in UTF-8 (RFC 8259 section 8.1). */
function checkMediaType(contentType: string | undefined): void {
  if (contentType === undefined || contentType === '') return;
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const isJson = type === 'application/json' || type === 'text/json' || /^[a-z]+\/[a-z0-9.!#$&^_-]+\+json$/.test(type);
  if (!isJson) throw unsupportedMediaType('Send the body as JSON, with Content-Type: application/json.');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw unsupportedMediaType('Send the body in UTF-8.');
  }
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    return await getRawBody(request, { length: request.headers['content-length'] ?? null, limit: maxBytes });
  } catch (error) {
    const type = error instanceof Error && 'type' in error ? error.type : undefined;
    if (type === 'entity.too.large') throw tooLarge(`The body is larger than ${maxBytes.toLocaleString('en')} bytes.`);
    throw malformed('The body broke off before its end.');
  }
}
