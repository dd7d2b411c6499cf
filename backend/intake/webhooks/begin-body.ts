import type { IncomingMessage } from 'node:http';
import {
  type ZlibOptions,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import { type BegunBody, beginBytes } from '#backend/platform/endpoint/read-request.ts';
import { isZlib, readEncoding } from './read-body.ts';

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
