import { Readable, pipeline } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Middleware } from 'koa';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';

/** Shorter bodies are sent as they are: they fit into one packet anyway. */
const COMPRESSED_FROM_BYTES = 1024;

/** What is written to a connection at once, so that a slow client's progress can be seen (see `http-server`). */
const SLICE_BYTES = 64 * 1024;

/** Compressors by their content coding. A window of 512 KiB keeps what an unread answer holds small. */
const COMPRESSORS = {
  br: () =>
    createBrotliCompress({
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 },
    }),
  gzip: () => createGzip(),
};

/**
 * Sends bodies in slices, as the client takes them, and texts in the best compression that it takes. zlib works in its
 * own threads. What is compressed already, or sent past Koa, is left as it is.
 */
export const sendBody: Middleware = async (ctx, next) => {
  await next();
  if (ctx.respond === false) return;
  ctx.vary('Accept-Encoding');
  const { body } = ctx;
  const isStream = body instanceof Readable;
  if (ctx.method === 'HEAD' || !(isStream || typeof body === 'string' || Buffer.isBuffer(body))) return;
  const { length } = ctx.response;
  const isShort = length !== undefined && length < COMPRESSED_FROM_BYTES;
  const encoding = isShort || ctx.response.get('Content-Encoding') ? undefined : encodingFor(ctx);
  if (encoding === undefined && length !== undefined && length <= SLICE_BYTES) return;

  const slices = Readable.from(inSlices(isStream ? body : [body]), { objectMode: false });
  if (encoding === undefined) {
    ctx.body = slices;
    if (length !== undefined) ctx.length = length;
    return;
  }
  ctx.set('Content-Encoding', encoding);
  // Whatever goes wrong ends both, and Koa ends the answer with the second.
  ctx.body = pipeline(slices, COMPRESSORS[encoding](), () => undefined);
};

/** The best compression that the client takes for a text; the types of the API's own bodies are the only ones here. */
function encodingFor(ctx: HttpContext): keyof typeof COMPRESSORS | undefined {
  if (!/json$|^text\/|javascript$/.test(ctx.response.type)) return undefined;
  if (ctx.acceptsEncodings('br')) return 'br';
  return ctx.acceptsEncodings('gzip') ? 'gzip' : undefined;
}

async function* inSlices(pieces: AsyncIterable<string | Buffer> | (string | Buffer)[]): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
  }
}
