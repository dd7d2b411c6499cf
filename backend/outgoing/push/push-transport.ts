import { type Agent, request as httpsRequest } from 'node:https';
import type { OutgoingHttpHeaders } from 'node:http';
import webPush from 'web-push';
import type { VapidKeys } from './vapid-keys.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import {
  ForbiddenAddressError,
  type AddressRule,
  faultOfEndpoint,
} from '#backend/platform/requests/guarded-request.ts';
import { deliveryOf } from './push-message.ts';
import type { Recipient } from './push-recipients.ts';

/** What a push service said, as far as it matters. */
export interface PushAnswer {
  status: number;
  retryAfter: string | undefined;
}

/** What a push service may take from us. */
export interface PostLimits {
  /** From the host name's lookup to the end of the answer. */
  totalMs: number;
  /** Of the answer's body; it means nothing to us. */
  answerBytes: number;
}

/**
 * Posts an encrypted message. Redirects are not followed. An answer's body is read to its end, so that the connection
 * can be used again, but no longer than the limits let it: then the connection is cut, and the status counts.
 *
 * @throws when there was no answer in time, the connection failed, or `signal` said to stop.
 */
export function postMessage(
  { endpoint, headers, body }: { endpoint: string; headers: OutgoingHttpHeaders; body: Buffer },
  agent: Agent,
  limits: PostLimits,
  signal: AbortSignal,
): Promise<PushAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(endpoint, {
      method: 'POST',
      headers,
      agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]),
    });
    let answer: PushAnswer | undefined;
    request.on('response', (response) => {
      const said = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
      answer = said;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > limits.answerBytes) request.destroy();
      });
      // Broken off by the service or cut by us: it has said what it did with the message.
      response.on('error', () => undefined);
      response.on('close', () => resolve(said));
    });
    request.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    request.end(body);
  });
}

/** How long one signed token serves a push service. It says twelve hours; signing one costs as much as half a message. */
const TOKEN_USE_MS = 60 * 60 * 1000;

/** Push services that have a token at the moment; members may name any number of hosts. */
const MAX_TOKENS = 100;

/** Where a device is reached, and what its messages are encrypted with. */
export type PushDeviceKeys = Pick<Recipient, 'endpoint' | 'p256dh' | 'auth'>;

/** Brings one message to one device. */
export interface PushTransport {
  /** @throws when there was no answer: {@link ForbiddenAddressError} when there never will be. */
  send(device: PushDeviceKeys, message: PushMessage, signal: AbortSignal): Promise<PushAnswer>;
  /** Closes the connections. */
  close(): void;
}

/** What the transport is made of. */
export interface PushTransportDeps {
  keys: VapidKeys;
  /** Whom push services may write to. */
  subject: string;
  agent: Agent;
  isAllowedAddress: AddressRule;
  limits: PostLimits;
}

/** Encrypts for the browser (RFC 8291), signs for the push service (RFC 8292) and posts (RFC 8030). */
export function createPushTransport(deps: PushTransportDeps): PushTransport {
  const { keys, subject, agent, isAllowedAddress, limits } = deps;
  const tokens = new Map<string, { authorization: string; signedAt: number }>();

  const authorizationFor = (audience: string): string => {
    const known = tokens.get(audience);
    const now = Date.now();
    // Signed by a clock that was set back since, it ends later than push services may take.
    if (known && known.signedAt <= now && now < known.signedAt + TOKEN_USE_MS) return known.authorization;
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    const { Authorization: authorization } = webPush.getVapidHeaders(
      audience,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    );
    tokens.set(audience, { authorization, signedAt: now });
    return authorization;
  };

  return {
    async send({ endpoint, p256dh, auth }, message, signal) {
      // An address in the endpoint is connected to without a lookup, and the rules may be stricter than when it was stored.
      if (faultOfEndpoint(endpoint, isAllowedAddress)) throw new ForbiddenAddressError();
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        {
          ...deliveryOf(message),
          contentEncoding: 'aes128gcm',
          headers: { Authorization: authorizationFor(new URL(endpoint).origin) },
        },
      );
      return postMessage({ endpoint, headers, body }, agent, limits, signal);
    },
    close: () => agent.destroy(),
  };
}
