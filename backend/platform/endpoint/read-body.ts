import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import {
  type ZlibOptions,
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzip,
  inflate,
  inflateRaw,
  zstdDecompress,
} from 'node:zlib';
import { type ProblemError, malformed, tooLarge, unsupportedMediaType } from './errors.ts';

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
const isZlib = (bytes: Buffer): boolean =>
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

/**
 * A body's text.
 *
 * @param charset of its `Content-Type`, by a name that the Encoding standard has (https://encoding.spec.whatwg.org/#names-and-labels)
 * @throws {ProblemError} 400 when the bytes are not of this character set
 */
export function readText(bytes: Buffer, charset = 'utf-8'): string {
  try {
    return (charset === 'utf-8' ? UTF_8 : new TextDecoder(charset, { fatal: true })).decode(bytes);
  } catch {
    throw malformed(`The body is not valid ${charset.toUpperCase()}.`);
  }
}

/** How much is looked at of the body of somebody who has shown no key yet, in bytes: inflated, and as it comes. */
export const BEGINNING_BYTES = 16 * 1024;

/** The beginning of a body. */
export interface Beginning {
  begun: BegunBody;
  /** Its text, as far as it is UTF-8. */
  text: string;
  /** Whether the text is all of it. */
  isWhole: boolean;
}

/**
 * Reads the first bytes of a body, and inflates the first {@link BEGINNING_BYTES} of what is in them: a kilobyte inflates
 * to a megabyte, which nobody is to cost this server who has no key. The rest stays where it is; see `readBody`.
 *
 * @throws {ProblemError} 415 when its encoding is not known, 400 when it breaks off
 */
export async function readBeginning(request: IncomingMessage): Promise<Beginning> {
  const encoding = readEncoding(request);
  const begun = await beginBytes(request, BEGINNING_BYTES);
  const sent = Buffer.concat(begun.parts);
  const bytes = encoding === undefined ? sent.subarray(0, BEGINNING_BYTES) : await inflateBeginning(sent, encoding);
  const text = new TextDecoder('utf-8').decode(bytes, { stream: true });
  return { begun, text, isWhole: begun.isEnded && bytes.length < BEGINNING_BYTES };
}

const FULL: ZlibOptions = { chunkSize: BEGINNING_BYTES, flush: constants.Z_SYNC_FLUSH };

function openInflate(bytes: Buffer, encoding: string) {
  switch (encoding) {
    case 'br':
      return createBrotliDecompress({ chunkSize: BEGINNING_BYTES, flush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return createZstdDecompress({ chunkSize: BEGINNING_BYTES, flush: constants.ZSTD_e_flush });
    case 'deflate':
      return isZlib(bytes) ? createInflate(FULL) : createInflateRaw(FULL);
    default:
      return createGunzip(FULL);
  }
}

/** The first bytes of what inflates; none of what does not. */
function inflateBeginning(bytes: Buffer, encoding: string): Promise<Buffer> {
  return new Promise((resolve) => {
    const stream = openInflate(bytes, encoding);
    const end = (inflated: Buffer) => {
      resolve(inflated);
      stream.destroy();
    };
    // One piece is as long as is wanted, or all that there is.
    stream.once('data', end);
    stream.once('error', () => end(Buffer.alloc(0)));
    stream.write(bytes, () => setImmediate(end, Buffer.alloc(0)));
  });
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
function beginBytes(request: IncomingMessage, enough: number): Promise<BegunBody> {
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
