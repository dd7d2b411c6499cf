import type { Agent } from 'node:https';
import webPush from 'web-push';
import type { VapidKeys } from '#backend/config.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import { ForbiddenAddressError } from './guarded-agent.ts';
import type { PushAnswer } from './judge-answer.ts';
import { type PostLimits, postMessage } from './post-message.ts';
import { type AddressRule, faultOfEndpoint } from './push-endpoint.ts';
import { deliveryOf } from './push-message.ts';
import type { Recipient } from './push-recipients.ts';

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
export interface PushTransportNeeds {
  keys: VapidKeys;
  /** Whom push services may write to. */
  subject: string;
  agent: Agent;
  isAllowedAddress: AddressRule;
  limits: PostLimits;
}

/** Encrypts for the browser (RFC 8291), signs for the push service (RFC 8292) and posts (RFC 8030). */
export function createPushTransport(needs: PushTransportNeeds): PushTransport {
  const { keys, subject, agent, isAllowedAddress, limits } = needs;
  const tokens = new Map<string, { authorization: string; until: number }>();

  const authorizationFor = (audience: string): string => {
    const known = tokens.get(audience);
    if (known && known.until > Date.now()) return known.authorization;
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    const { Authorization: authorization } = webPush.getVapidHeaders(
      audience,
      subject,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
    );
    tokens.set(audience, { authorization, until: Date.now() + TOKEN_USE_MS });
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
