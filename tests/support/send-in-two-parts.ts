import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { expect } from 'vitest';
import { waitFor } from './wait-for.ts';

/**
 * Sends all but the last byte of a body, and the rest when a server of this process reads it and `meanwhile` is over.
 *
 * @returns the answer, and what `meanwhile` came to
 */
export async function sendInTwoParts<T>(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
  meanwhile: () => Promise<T>,
): Promise<{ status: number; text: string; between: T }> {
  const id = crypto.randomUUID();
  let arrived: IncomingMessage | undefined;
  const onRequest = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    if (request.headers['x-request-id'] === id) arrived = request;
  };
  subscribe('http.server.request.start', onRequest);
  const client = openRequest(origin + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'X-Request-Id': id,
      ...headers,
    },
  });
  const answered = new Promise<{ status: number; text: string }>((resolve, reject) => {
    client.on('error', reject);
    client.on('response', (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
  });
  client.write(body.slice(0, -1));
  // The body is read after everything that comes before it: authentication, above all.
  await waitFor(() => expect(arrived?.readableFlowing).toBe(true), { interval: 1 });
  unsubscribe('http.server.request.start', onRequest);
  const between = await meanwhile();
  client.end(body.slice(-1));
  return { ...(await answered), between };
}
