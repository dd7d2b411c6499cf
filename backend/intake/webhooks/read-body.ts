import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import { type ProblemError, malformed, tooLarge, unsupportedMediaType } from '#backend/platform/endpoint/errors.ts';
import { type BegunBody, readBytes } from '#backend/platform/endpoint/read-request.ts';

/** A request's body: its bytes after inflating, and how many came. */
export interface RawBody {
  bytes: Buffer;
  size: number;
}

type Inflate = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const inflateEither: Inflate = async (bytes, options) => {
  // "deflate" is zlib's format (RFC 9110 section 8.4.1.2), but some senders mean the bare stream.
  return promisify(isZlib(bytes) ? inflate : inflateRaw)(bytes, options);
};

/** Whether bytes are in zlib's format (RFC 1950 section 2.2). */
export const isZlib = (bytes: Buffer): boolean =>
  bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;

const DECODERS: Readonly<Record<string, Inflate>> = {
  gzip: promisify(gunzip) as Inflate,
  'x-gzip': promisify(gunzip) as Inflate,
  deflate: inflateEither,
  br: promisify(brotliDecompress) as Inflate,
  zstd: promisify(zstdDecompress) as Inflate,
};

/**
 * How a body is compressed; undefined where it is not. One compression in another is refused: it is for nothing but to
 * cost whoever takes it apart.
 *
 * @throws {ProblemError} 415 when it is not known
 */
export function readEncoding(request: IncomingMessage): string | undefined {
  const header = request.headers['content-encoding'];
  if (header === undefined || header === '' || header === 'identity') return undefined;
  const [encoding, ...more] = header
    .toLowerCase()
    .split(',')
    .map((layer) => layer.trim())
    .filter((layer) => layer !== '' && layer !== 'identity');
  if (more.length > 0 || (encoding !== undefined && !Object.hasOwn(DECODERS, encoding))) {
    throw unsupportedMediaType('Send the body as it is, or compressed once with gzip, deflate, br or zstd.');
  }
  return encoding;
}

/**
 * Reads a body and inflates it, both bounded: what inflates to more is given up while it inflates.
 *
 * @param begun what was read of it before
 * @throws {ProblemError} 413 when it is longer than `maxBytes` before or after inflating, 415 when its encoding is not
 * known, 400 when it breaks off or is not what its encoding says.
 */
export async function readBody(request: IncomingMessage, maxBytes: number, begun?: BegunBody): Promise<RawBody> {
  const encoding = readEncoding(request);
  const sent = await readBytes(request, maxBytes, begun);
  const bytes = encoding === undefined ? sent : await decode(sent, encoding, maxBytes);
  return { bytes, size: sent.length };
}

async function decode(bytes: Buffer, layer: string, maxBytes: number): Promise<Buffer> {
  try {
    return (await DECODERS[layer]?.(bytes, { maxOutputLength: maxBytes })) ?? bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(`The body inflates to more than ${maxBytes.toLocaleString('en')} bytes.`);
    }
    throw malformed(`The body is not ${layer}, which Content-Encoding says it is.`);
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** A body's text. @throws {ProblemError} 400 when it is not UTF-8. */
export function readText(bytes: Buffer): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

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
