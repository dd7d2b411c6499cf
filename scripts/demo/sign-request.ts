import { createHmac, generateKeyPairSync, randomBytes, sign as signWith } from 'node:crypto';
import type { SignatureScheme } from '#backend/contract/sender.ts';
import type { Message } from './webhook-request.ts';

/** Signs the requests of one sender. */
export interface Signer {
  /** What its source is given: the shared secret, or the public key. */
  secret: string;
  /** The headers that prove the body, signed now. */
  sign(message: Message): Record<string, string>;
}

/** Amazon signs SNS with a key of its own: nobody else can. */
export type PlayableScheme = Exclude<SignatureScheme, 'sns' | 'zoom'>;

const secondsNow = () => String(Math.floor(Date.now() / 1000));

/** Headers of each scheme with a shared secret. `hmac` is HMAC-SHA256 over a text, with the sender's key. */
const SCHEMES: Readonly<
  Record<
    Exclude<PlayableScheme, 'sendgrid' | 'standard-webhooks'>,
    (body: string, hmac: (text: string, encoding?: 'base64') => string) => Record<string, string>
  >
> = {
  github: (body, hmac) => ({ 'x-hub-signature-256': `sha256=${hmac(body)}` }),
  jira: (body, hmac) => ({ 'x-hub-signature': `sha256=${hmac(body)}` }),
  sentry: (body, hmac) => ({ 'sentry-hook-signature': hmac(body) }),
  pagerduty: (body, hmac) => ({ 'x-pagerduty-signature': `v1=${hmac(body)}` }),
  shopify: (body, hmac) => ({ 'x-shopify-hmac-sha256': hmac(body, 'base64') }),
  stripe: (body, hmac) => {
    const seconds = secondsNow();
    return { 'stripe-signature': `t=${seconds},v1=${hmac(`${seconds}.${body}`)}` };
  },
  slack: (body, hmac) => {
    const seconds = secondsNow();
    return { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${hmac(`v0:${seconds}:${body}`)}` };
  },
};

/** A signer with a new secret. */
export function createSigner(scheme: PlayableScheme): Signer {
  if (scheme === 'sendgrid') return sendGridSigner();
  const key = randomBytes(24);
  if (scheme === 'standard-webhooks') return standardSigner(key);
  const secret = key.toString('hex');
  const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex') =>
    createHmac('sha256', secret).update(text).digest(encoding);
  return { secret, sign: ({ body }) => SCHEMES[scheme](body, hmac) };
}

/** The id of the message is the sender's own; it is signed with the time and the body. */
const standardSigner = (key: Buffer): Signer => ({
  secret: `whsec_${key.toString('base64')}`,
  sign({ headers, body }) {
    const seconds = secondsNow();
    const signed = `${headers['webhook-id']}.${seconds}.${body}`;
    return {
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    };
  },
});

/** SendGrid signs with the private half of a key pair, and shows the public one. */
function sendGridSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    secret: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    sign({ body }) {
      const seconds = secondsNow();
      const signature = signWith('sha256', Buffer.from(`${seconds}${body}`), privateKey).toString('base64');
      return {
        'x-twilio-email-event-webhook-timestamp': seconds,
        'x-twilio-email-event-webhook-signature': signature,
      };
    },
  };
}
