import { Agent, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer } from '#tests/support/document-checker.ts';

/** A request as it goes over the wire: nothing is made valid on the way. */
export interface RawRequest {
  method: string;
  /** Path and query, percent-encoded or not, as they are to be sent. */
  target: string;
  /** Sent as they stand, twice when they are there twice. */
  headers: [string, string][];
  body: Buffer | undefined;
}

/** Connections are kept, so that a request that spoils its connection is found by the next. */
const agent = new Agent({ keepAlive: true });

/** Sends what `fetch` would refuse to send, or correct. */
export function sendRaw(origin: string, { method, target, headers, body }: RawRequest): Promise<Answer> {
  const { host } = new URL(origin);
  const all: [string, string][] = [
    ['Host', host],
    ...headers,
    ...(body ? [['Content-Length', `${body.length}`] satisfies [string, string]] : []),
  ];
  return new Promise((resolve, reject) => {
    const sent = request(origin, { method, path: target, headers: all.flat(), agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve(
          decoded(Buffer.concat(chunks), response.headers['content-encoding']).then((text) => ({
            method,
            path: target.replace(/\?.*/s, ''),
            status: response.statusCode ?? 0,
            headers: headersOf(response.headersDistinct),
            text,
          })),
        ),
      );
    });
    // An upgrade that succeeds has no body; what follows it is not of interest here.
    sent.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve({
        method,
        path: target,
        status: response.statusCode ?? 0,
        headers: headersOf(response.headersDistinct),
        text: '',
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** The text of a body. A header such as `Accept-Encoding: *` has the server compress it. */
async function decoded(body: Buffer, encoding: string | undefined): Promise<string> {
  if (body.length === 0) return '';
  if (encoding === 'br') return brotliDecompressSync(body).toString();
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString();
}

function headersOf(distinct: NodeJS.Dict<string[]>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(distinct)) for (const value of values) headers.append(name, value);
  return headers;
}
