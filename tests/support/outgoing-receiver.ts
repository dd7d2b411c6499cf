import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OutgoingPayload, outgoingPayloadSchema } from '#backend/contract/outgoing.ts';

/** A request that a receiver was sent. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** What it was answered with. */
  status: number;
  at: number;
}

/** What a receiver answers, at once or after something. `hang` never does. */
export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string; after?: Promise<void> }
  | 'hang';

/** A receiver of a test's own, on this machine. */
export interface OutgoingReceiver {
  readonly url: string;
  readonly port: number;
  /** Every request, those that were refused included. */
  readonly requests: ReceivedRequest[];
  /** Those that were answered with a 2xx. */
  taken(): ReceivedRequest[];
  /** What the next requests are answered with, after the double's own checks; undefined takes them again. */
  answer(
    next: ReceiverAnswer | ((request: { body: string; path: string }) => ReceiverAnswer | undefined) | undefined,
  ): void;
  stop(): Promise<void>;
}

/** A service's own rules: an answer to a request that it refuses, undefined for one that it takes. */
export type ServiceRules = (
  request: Omit<ReceivedRequest, 'status' | 'at'>,
) => Exclude<ReceiverAnswer, 'hang'> | undefined;

/**
 * Starts a receiver that takes requests as a service does.
 *
 * @param rules what the service refuses; default: nothing
 * @param ok what it answers otherwise
 */
export async function startReceiver(
  rules: ServiceRules = () => undefined,
  ok: Exclude<ReceiverAnswer, 'hang'> = { status: 200, body: 'ok' },
  port = 0,
): Promise<OutgoingReceiver> {
  const requests: ReceivedRequest[] = [];
  let next: Parameters<OutgoingReceiver['answer']>[0];
  const hanging = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const received = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      const planned = typeof next === 'function' ? next(received) : next;
      const answer = planned ?? rules(received) ?? ok;
      if (answer === 'hang') {
        hanging.add(response);
        requests.push({ ...received, status: 0, at: Date.now() });
        return;
      }
      requests.push({ ...received, status: answer.status, at: Date.now() });
      const send = () => response.writeHead(answer.status, answer.headers).end(answer.body);
      if (answer.after) void answer.after.then(send);
      else send();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${found}`,
    port: found,
    requests,
    taken: () => requests.filter(({ status }) => status >= 200 && status < 300),
    answer: (planned) => void (next = planned),
    async stop() {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** How old a message may be, in seconds: "a tolerance of five minutes" of the specification's libraries. */
const TOLERANCE_S = 300;

/**
 * A receiver of the Standard Webhooks specification, as its page lays it down
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, "Verifying signatures"): the
 * three headers, a timestamp near now, one of the signatures with each of the secrets, and this product's own schema.
 *
 * @param secrets `whsec_…`; one that signs each request is enough
 */
export const standardWebhooksRules =
  (secrets: () => readonly string[]): ServiceRules =>
  ({ headers, body }) => {
    const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
      (name) => headers[name],
    );
    if (typeof id !== 'string' || id.includes('.') || !/^\d{10}$/.test(String(seconds)))
      return { status: 400, body: 'headers' };
    if (Math.abs(Date.now() / 1000 - Number(seconds)) > TOLERANCE_S) return { status: 400, body: 'timestamp' };
    const expected = secrets().map((secret) =>
      createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
        .update(`${id}.${seconds}.${body}`)
        .digest(),
    );
    const given = String(signatures)
      .split(' ')
      .flatMap((one) => (one.startsWith('v1,') ? [Buffer.from(one.slice(3), 'base64')] : []));
    const isSigned = expected.some((digest) =>
      given.some((one) => one.length === digest.length && timingSafeEqual(one, digest)),
    );
    if (!isSigned) return { status: 401, body: 'signature' };
    if (!outgoingPayloadSchema.safeParse(JSON.parse(body)).success) return { status: 422, body: 'schema' };
    return undefined;
  };

/** The payloads of requests. */
export const payloadsOf = (requests: readonly ReceivedRequest[]): OutgoingPayload[] =>
  requests.map(({ body }) => outgoingPayloadSchema.parse(JSON.parse(body)));
