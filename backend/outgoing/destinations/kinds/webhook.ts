import { createHmac } from 'node:crypto';
import type { KindModule } from './kind.ts';

/** The bytes of a secret as it is shown: `whsec_` and base64. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * The signature header of the Standard Webhooks specification (https://www.standardwebhooks.com, "Signature scheme"): for each
 * secret `v1,` and the base64 of HMAC-SHA-256 over id, seconds and body, separated by full stops; separated by spaces.
 */
export const signatureOf = (id: string, seconds: number, body: string, secrets: readonly string[]): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ');

/**
 * A program that receives JSON, by the Standard Webhooks specification. The id is the same in every attempt, so a receiver
 * that remembers ids takes each message once.
 */
export const webhookKind: KindModule = {
  label: 'Webhook',
  isForPeople: false,
  pauseMs: 0,
  render({ url, secrets, oldSecretUntil }, { id, payload, now }) {
    const seconds = Math.floor(now / 1000);
    const body = JSON.stringify(payload);
    const isOverlap = oldSecretUntil !== null && oldSecretUntil > now;
    const keys = [secrets.signingSecret, isOverlap ? secrets.oldSigningSecret : undefined];
    return {
      via: 'http',
      url: url ?? '',
      headers: {
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatureOf(
          id,
          seconds,
          body,
          keys.filter((key) => key !== undefined),
        ),
      },
      body,
    };
  },
  explain(status) {
    if (status === 410) return 'The receiver is gone for good (410). Enter its new address or delete the destination.';
    if (status === 401 || status === 403)
      return 'The receiver refused the signature. Compare its signing secret with this one.';
    return undefined;
  },
};
