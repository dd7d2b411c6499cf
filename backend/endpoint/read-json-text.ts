import type { IncomingMessage } from 'node:http';
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
  if (contentType === undefined || contentType === '' || contentType === 'application/json') return;
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

/**
 * The body's bytes, at most so many; one that announces more is not read at all. Node's parser has checked that the
 * announced length is a number, and ends a body that is shorter with an error.
 */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = Number(request.headers['content-length'] ?? 0);
    const stopReading = () => {
      request.off('data', take);
      request.pause();
      reject(tooLarge(`The body is larger than ${maxBytes.toLocaleString('en')} bytes.`));
    };
    // `close` follows every body. An error object costs as much as reading one.
    const breakOff = () => {
      if (!request.complete || request.errored) reject(malformed('The body broke off before its end.'));
    };
    const take = (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length > maxBytes) stopReading();
    };
    if (length > maxBytes) {
      stopReading();
      return;
    }
    length = 0;
    request.on('data', take);
    request.on('end', () => resolve(parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)));
    request.on('error', breakOff);
    request.on('close', breakOff);
  });
}
